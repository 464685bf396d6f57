import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import {
  ARROW_STEPS,
  centreOf,
  DRAG_MIN_PX,
  type GraphView,
  moved,
  parseView,
  writeView,
  zoomed,
} from './graph-view.ts';

const ZOOM = 1.5;
/** Per pixel of a wheel: a notch is about 100. */
const ZOOM_PER_PX = 1.003;
/** Share of what is shown that an arrow key moves. */
const KEY_SHARE = 0.15;

const ZOOM_KEYS: Readonly<Record<string, number>> = { '+': ZOOM, '=': ZOOM, '-': 1 / ZOOM };

interface Drag {
  readonly pointerId: number;
  readonly from: GraphView;
  readonly x: number;
  readonly y: number;
  hasMoved: boolean;
}

/**
 * Which part of a drawing is shown, and what changes it: dragging, pinching or Ctrl with the wheel, a
 * double click, and with the focus on the drawing or in it the arrow keys, + and -, and 0 for the
 * whole. Another drawing is shown whole.
 */
export function useGraphView(wholeBox: string) {
  const [view, setView] = useState<{ readonly of: string; readonly part: GraphView } | null>(null);
  const svg = useRef<SVGSVGElement>(null);
  const drag = useRef<Drag | null>(null);
  const whole = parseView(wholeBox);
  const part = view?.of === wholeBox ? view.part : whole;
  const show = (next: GraphView) => setView({ of: wholeBox, part: next });
  const zoom = (factor: number, at = centreOf(part)) => show(zoomed(part, whole, factor, at));
  const latestZoom = useRef(zoom);
  latestZoom.current = zoom;
  useWheel(svg, latestZoom);
  return {
    svg,
    viewBox: writeView(part),
    isWhole: part.width >= whole.width,
    /** How many times as large as the whole it is shown. */
    enlargement: whole.width / part.width,
    zoomIn: () => zoom(ZOOM),
    zoomOut: () => zoom(1 / ZOOM),
    showWhole: () => show(whole),
    handlers: {
      onKeyDown: (event: KeyboardEvent) => {
        const factor = ZOOM_KEYS[event.key];
        const arrow = ARROW_STEPS[event.key];
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (factor !== undefined) zoom(factor);
        else if (event.key === '0') show(whole);
        else if (arrow !== undefined && part.width < whole.width) {
          const [x, y] = arrow;
          const step = KEY_SHARE * part.width;
          show(moved(part, whole, { x: x * step, y: y * step }));
        } else return;
        event.preventDefault();
      },
      onPointerDown: (event: PointerEvent) => {
        // A finger scrolls the page as long as the whole is shown.
        if (event.button !== 0 || part.width >= whole.width) return;
        const { pointerId, clientX: x, clientY: y } = event;
        drag.current = { pointerId, from: part, x, y, hasMoved: false };
      },
      onPointerMove: (event: PointerEvent) => {
        const at = drag.current;
        if (at === null || at.pointerId !== event.pointerId || svg.current === null) return;
        const [dx, dy] = [event.clientX - at.x, event.clientY - at.y];
        if (!at.hasMoved && Math.hypot(dx, dy) < DRAG_MIN_PX) return;
        if (!at.hasMoved) svg.current.setPointerCapture(at.pointerId);
        at.hasMoved = true;
        const unitsPerPx = 1 / (svg.current.getScreenCTM()?.a ?? 1);
        show(moved(at.from, whole, { x: -dx * unitsPerPx, y: -dy * unitsPerPx }));
      },
      onPointerCancel: () => {
        drag.current = null;
      },
      onPointerUp: () => {
        if (drag.current?.hasMoved !== true) drag.current = null;
      },
      // The end of a drag is no click on what lies there.
      onClickCapture: (event: MouseEvent) => {
        if (drag.current?.hasMoved === true) event.stopPropagation();
        drag.current = null;
      },
      onDblClick: (event: MouseEvent) => zoom(ZOOM, pointOf(svg.current, event)),
    },
  };
}

/** Preact's listeners of wheels cannot keep the page from being zoomed. */
function useWheel(
  svg: RefObject<SVGSVGElement | null>,
  zoom: { readonly current: (factor: number, at?: { x: number; y: number }) => void },
): void {
  useEffect(() => {
    const element = svg.current;
    if (element === null) return undefined;
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoom.current(ZOOM_PER_PX ** -event.deltaY, pointOf(element, event));
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, []);
}

/** Where in the drawing a pointer is. */
function pointOf(svg: SVGSVGElement | null, { clientX, clientY }: MouseEvent) {
  const matrix = svg?.getScreenCTM()?.inverse();
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix);
  return { x, y };
}
