/** A part of a drawing, in its own units. */
export interface GraphView {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A press that moves less is a click. */
export const DRAG_MIN_PX = 4;

/** Steps of the arrow keys, by the key's name. */
export const ARROW_STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The smallest part that is shown, as a share of the whole. */
const SHARE_MIN = 1 / 12;

/** As the attribute `viewBox` writes it. */
export function parseView(viewBox: string): GraphView {
  const [left = 0, top = 0, width = 0, height = 0] = viewBox.split(' ').map(Number);
  return { left, top, width, height };
}

export function writeView({ left, top, width, height }: GraphView): string {
  return [left, top, width, height].map((value) => value.toFixed(1)).join(' ');
}

/**
 * A part that is `factor` times as large on the screen, with `at` where it was; never more than the
 * whole, nor less than a twelfth of it.
 */
export function zoomed(view: GraphView, whole: GraphView, factor: number, at: Point): GraphView {
  const share = view.width / whole.width / factor;
  const kept = Math.min(1, Math.max(SHARE_MIN, share));
  const ratio = (kept * whole.width) / view.width;
  return within(
    {
      left: at.x - (at.x - view.left) * ratio,
      top: at.y - (at.y - view.top) * ratio,
      width: whole.width * kept,
      height: whole.height * kept,
    },
    whole,
  );
}

/** A part as large, elsewhere in the whole. */
export function moved(view: GraphView, whole: GraphView, { x, y }: Point): GraphView {
  return within({ ...view, left: view.left + x, top: view.top + y }, whole);
}

export function centreOf({ left, top, width, height }: GraphView): Point {
  return { x: left + width / 2, y: top + height / 2 };
}

function within(view: GraphView, whole: GraphView): GraphView {
  const { width, height } = view;
  return {
    width,
    height,
    left: Math.min(whole.left + whole.width - width, Math.max(whole.left, view.left)),
    top: Math.min(whole.top + whole.height - height, Math.max(whole.top, view.top)),
  };
}

/** The nearest point of a part. */
export function nearestIn({ left, top, width, height }: GraphView, { x, y }: Point): Point {
  return {
    x: Math.min(left + width, Math.max(left, x)),
    y: Math.min(top + height, Math.max(top, y)),
  };
}
