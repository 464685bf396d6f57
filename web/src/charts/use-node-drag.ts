import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { ARROW_STEPS, DRAG_MIN_PX, nearestIn, type Point, parseView } from './graph-view.ts';

/** Share of the whole width that Shift with an arrow key moves a node. */
const KEY_SHARE = 0.03;

interface Drag {
  readonly pointerId: number;
  readonly id: string;
  readonly from: Point;
  readonly x: number;
  readonly y: number;
  hasMoved: boolean;
}

type Places = ReadonlyMap<string, Point>;

const NONE: Places = new Map();

/**
 * Where nodes were dragged to: with a mouse or a pen, or with Shift and the arrow keys while a node
 * has the focus. A finger scrolls the page. They stay within the whole of the drawing; another
 * drawing (`layout`) has none.
 */
export function useNodeDrag(svg: RefObject<SVGSVGElement | null>, layout: object, box: string) {
  const [kept, setKept] = useState<{ readonly of: object; readonly places: Places } | null>(null);
  const drag = useRef<Drag | null>(null);
  const places = kept?.of === layout ? kept.places : NONE;
  const whole = parseView(box);
  const put = (id: string, to: Point) =>
    setKept({ of: layout, places: new Map(places).set(id, nearestIn(whole, to)) });
  const handlersOf = (id: string, at: Point) => ({
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0 || event.pointerType === 'touch') return;
      // The part that is shown stays.
      event.stopPropagation();
      const { pointerId, clientX: x, clientY: y } = event;
      drag.current = { pointerId, id, from: at, x, y, hasMoved: false };
    },
    onPointerMove: (event: PointerEvent) => {
      const held = drag.current;
      if (held === null || held.pointerId !== event.pointerId || held.id !== id) return;
      const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
      if (!held.hasMoved && Math.hypot(dx, dy) < DRAG_MIN_PX) return;
      if (!held.hasMoved) (event.currentTarget as SVGGElement).setPointerCapture(held.pointerId);
      held.hasMoved = true;
      const unitsPerPx = 1 / (svg.current?.getScreenCTM()?.a ?? 1);
      put(id, { x: held.from.x + dx * unitsPerPx, y: held.from.y + dy * unitsPerPx });
    },
    onPointerCancel: () => {
      drag.current = null;
    },
    onPointerUp: () => {
      if (drag.current?.hasMoved !== true) drag.current = null;
    },
    // The end of a drag is no click on the node.
    onClickCapture: (event: MouseEvent) => {
      if (drag.current?.hasMoved === true) event.stopPropagation();
      drag.current = null;
    },
    onKeyDownCapture: (event: KeyboardEvent) => {
      const arrow = ARROW_STEPS[event.key];
      if (arrow === undefined || !event.shiftKey) return;
      event.preventDefault();
      event.stopPropagation();
      const [x, y] = arrow;
      const step = KEY_SHARE * whole.width;
      put(id, { x: at.x + x * step, y: at.y + y * step });
    },
  });
  return { places, handlersOf, hasMoved: places.size > 0, reset: () => setKept(null) };
}
