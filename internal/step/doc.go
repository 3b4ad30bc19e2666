// Package step is what happens in a step: its stages, over the records of a state.World. A stage is a struct with
// the memory that it keeps and one method, Step. Stages are the stages in their order: Pairs, Narrow, Apply,
// List, Solve, Advance, Sense and Sleep; package quarry calls one after the other. Data only moves forward: a
// stage gets what it needs of the stages before as arguments, and changes nothing of theirs.
//
// Many stages run a loop on all workers of a team. No worker writes a record that another one reads; changes of
// other records are listed by ranges of the loop, and applied in their order, so that no result depends on the
// number of workers.
//
// The header of a stage says what the stage needs to do, what it assumes, its algorithm, and its data.
package step
