package pool

// Log lists the events of one kind of a step, and of changes after it, which the next step
// reports. It keeps its memory.
type Log[T any] struct {
	Now   []T
	later []T
}

// Add adds an event of the step in progress, or else of the next one.
func (l *Log[T]) Add(v T, now bool) {
	if now {
		l.Now = append(l.Now, v)
	} else {
		l.later = append(l.later, v)
	}
}

// Next begins a step: Now holds only the events of the changes since the last one.
func (l *Log[T]) Next() { l.Now, l.later = append(l.Now[:0], l.later...), l.later[:0] }
