// A picture of the view.

// pictureOf returns the canvas as a PNG, a data URL; with width as a smaller one.
export async function pictureOf(stage, width = 0) {
  stage.draw(); // the browser keeps the drawing until the end of this task only
  const { canvas } = stage;
  if (!width) return canvas.toDataURL("image/png");
  const small = Object.assign(document.createElement("canvas"), { width, height: Math.round(width * canvas.height / canvas.width) });
  small.getContext("2d").drawImage(canvas, 0, 0, small.width, small.height);
  return small.toDataURL("image/png");
}
