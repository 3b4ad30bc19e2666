// The tools: their names, keys, icons, and the options that each uses.

// An icon is the path of a line drawing in a square of side 24; parts in "fill" are filled.
export const TOOLS = [
  { name: "select", title: "Select", key: "Q", text: "Click a body, a joint or a tile to inspect and change it", icon: "M6 3l12 8-5.2 1.2L15.6 18l-2.6 1.2-2.8-5.8L6 17z" },
  { name: "grab", title: "Grab", key: "I", text: "Drag a body and throw it", icon: "M8 12V6.5a1.5 1.5 0 0 1 3 0V11M11 10.5V5a1.5 1.5 0 0 1 3 0v6M14 11V6.5a1.5 1.5 0 0 1 3 0V14c0 4-2 6.5-5.5 6.5S6.5 18.5 5 15.5l-1.2-2.7a1.4 1.4 0 0 1 2.5-1.2L8 14z" },
  { name: "drop", title: "Drop", key: "D", text: "Add a body with each click", icon: "M12 3v9M8.5 9l3.5 3.5L15.5 9M6 16h12v5H6z" },
  { name: "stamp", title: "Stamp", key: "Shift+T", text: "Add a ship, a car, a bridge, ...", icon: "M9.5 4h5l-.8 7H17l1 4H6l1-4h3.3zM6 19h12" },
  { name: "copy", title: "Copy", key: "Shift+D", text: "Click a body, then where its copies go", icon: "M4 4h11v11H4zM9 18v2h11V9h-2" },
  { name: "dig", title: "Dig", key: "C", text: "Dig along a drag", icon: "M4 20l7-7M9 8c3-4 8-4 11-3-4 0-7 2-8 5M9 8l3 3M11 13l-2-2" },
  { name: "build", title: "Build", key: "U", text: "Build along a drag", icon: "M3 9h18v10H3zM3 14h18M9 9v5M15 9v5M12 14v5M12 3v4M10 5h4" },
  { name: "line", title: "Line", key: "Shift+L", text: "Build a straight line", icon: "M5 19L19 5M3.5 19a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0M17.5 5a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0" },
  { name: "rect", title: "Rectangle", key: "Shift+B", text: "Fill a rectangle of cells, or empty it", icon: "M4 6h16v12H4zM8 10h8v4H8z" },
  { name: "fill", title: "Fill", key: "Shift+F", text: "Fill a closed place, or paint connected tiles", icon: "M5 12l7-8 7 7-7 7.5zM5 12h13M20 15c1.5 2 1.5 4 0 4s-1.5-2 0-4" },
  { name: "hill", title: "Hill", key: "Shift+H", text: "Drag from the foot of a hill to its top", icon: "M2 19c5 0 6-12 10-12s5 12 10 12z" },
  { name: "paint", title: "Paint", key: "P", text: "Paint tiles along a drag", icon: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM14 20l6-6M14 14l6 6" },
  { name: "erase", title: "Erase", key: "E", text: "Erase tiles along a drag", icon: "M9 19l-5-5 9-9 7 7-7 7zM9 9l7 7M9 19h11" },
  { name: "join", title: "Join", key: "J", text: "Drag from one body to another, or to the world", icon: "M3 6.5a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0M14 17.5a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0M9 9l6 6" },
  { name: "unjoin", title: "Unjoin", key: "Shift+J", text: "Click a joint to remove it", icon: "M3 6.5a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0M14 17.5a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0M9 9l2 2M13 13l2 2M15 8l-6 8" },
  { name: "loosen", title: "Cut loose", key: "Shift+C", text: "Drag over tiles: they become a body that falls", icon: "M4 4h6v6H4zM14 8h6v6h-6zM8 21h12M12 18v-3M4 14l4 4M8 14l-4 4" },
  { name: "glue", title: "Glue", key: "Shift+G", text: "Drag from one piece to another: they become one", icon: "M4 5h7v14H4zM13 5h7v14h-7zM9 12h6M9 9h6M9 15h6" },
  { name: "bomb", title: "Bomb", key: "Shift+E", text: "Blow up what is under the pointer", icon: "M5 14.5a6 6 0 1 0 12 0a6 6 0 1 0-12 0M15 10l2.5-2.5M17.5 7.5c0-2 3-2 3-4M19 9l2 1" },
  { name: "remove", title: "Remove", key: "Shift+X", text: "Click a body to remove it", icon: "M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5" },
  { name: "ray", title: "Ray", key: "Shift+Z", text: "Draw a ray: the cells that it visits, and its hit", icon: "M3 18L17 6M17 6h-5M17 6v5M3 22h4v-4H3zM18 3h4v4" },
];

// OPTIONS has the sections of options that each tool shows.
export const OPTIONS = {
  drop: ["drop"], stamp: ["stamp", "pose"], copy: ["pose"], join: ["join"],
  dig: ["brush"], build: ["brush", "layer", "material"], line: ["brush", "layer", "material"], hill: ["brush", "layer", "material"],
  rect: ["hollow", "layer", "material"], fill: ["hollow", "layer", "material"], paint: ["paint", "layer", "material"],
  erase: [], bomb: ["brush", "bomb"], loosen: [], glue: [], remove: [], unjoin: [], ray: [], select: [], grab: [],
};

// STAMP_ICONS are icons of stamps, as those of tools.
export const STAMP_ICONS = {
  ship: "M3 13h18l-3 6H6zM7 13V8h5v5M14 13V5h3v8", tower: "M7 21V4M17 21V4M5 8h14M5 14h14M5 21h14", ragdoll: "M10 5a2 2 0 1 0 4 0a2 2 0 1 0-4 0M12 7v7M7 11l5-2 5 2M8 21l4-7 4 7",
  car: "M3 15v-3l3-1 2-4h6l3 4 4 1v3zM5 17a2 2 0 1 0 4 0a2 2 0 1 0-4 0M15 17a2 2 0 1 0 4 0a2 2 0 1 0-4 0", wheel: "M4 12a8 8 0 1 0 16 0a8 8 0 1 0-16 0M12 4v16M4 12h16M6.5 6.5l11 11M17.5 6.5l-11 11",
  bridge: "M3 9h18M3 9v8M21 9v8M7 9v3M12 9v3M17 9v3M3 12c6 2 12 2 18 0", raft: "M3 15h18v3H3zM9 15V8h6v7", seesaw: "M3 8l18 5M8 20l4-8.5 4 8.5z", chain: "M12 2v2M12 8v2M12 14v2M10.5 4h3v4h-3zM10.5 10h3v4h-3zM10.5 16h3v4h-3z",
  bomb: "M5 14.5a6 6 0 1 0 12 0a6 6 0 1 0-12 0M15 10l2.5-2.5M17.5 7.5c0-2 3-2 3-4",
};

// LENSES are the lenses that the pointer carries: titles, and what each shows.
export const LENSES = [
  { name: "", title: "No lens", text: "" },
  { name: "cell", title: "Faces of a cell", text: "The raw faces of the tiles around the pointer: what is left of them is a segment; a face that a neighbour shares is cancelled." },
  { name: "radial", title: "Radial match", text: "At a vertex each outgoing segment takes the first incoming one clockwise (ghost1), each incoming segment the first outgoing one counter-clockwise (ghost2)." },
  { name: "contact", title: "Contact on ground", text: "The Gauss map of the contact nearest to the pointer: the direction of least overlap is admitted, snapped to the face, or the segment is skipped." },
  { name: "clip", title: "Clipping of two bodies", text: "The incident edge is cut by the side planes of the reference edge; each point is named by the features that make it." },
  { name: "heat", title: "Broad phase", text: "The cells of the broad phase by the number of boxes in them. Large boxes are in the coarser cells of higher levels." },
  { name: "colors", title: "Colours of contacts", text: "The solver's graph colours around the pointer, by number: contacts of one colour share no moving body. Rings are contacts with static bodies, solved last. A body at rest has none." },
  { name: "trip", title: "Ghosts off", text: "A box slides from the pointer to the right: with ghost vertices over all seams, and without them, where it trips." },
  { name: "edits", title: "Dirty cells", text: "The cells of an edit flash as it is resolved, with the cells around, of which the segments are made again." },
];

// PHASES are the stages of a step in the lens "phases", with their colours.
export const PHASES = [
  ["pairs", "#6fb1ff"], ["narrow", "#7ddc9a"], ["list", "#c9a2ff"], ["solve", "#f0a04b"], ["advance", "#ff8d88"], ["sensors", "#6fe0e0"], ["sleep", "#9aa5b8"],
];
