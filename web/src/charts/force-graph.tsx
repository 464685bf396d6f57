import {
  forceCenter,
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  type SimulationNodeDatum,
} from 'd3-force';
import { useMemo } from 'preact/hooks';
import { showText } from '../format/texts.ts';
import { Button } from '../ui/controls.tsx';
import type { Point } from './graph-view.ts';
import { useGraphView } from './use-graph-view.ts';
import { useNodeDrag } from './use-node-drag.ts';

export interface GraphNode {
  readonly id: string;
  /** Text beside the node. */
  readonly label: string;
  /** Part of the finding, as "creator": read out, and the class `role-<role>` of the style. */
  readonly role: string;
  /** Explains the node on hover. */
  readonly title?: string;
  readonly isMarked?: boolean;
  /** Its share of the largest node's amount, from 0 to 1: the area of the circle. */
  readonly size?: number;
  /** Without its text, which many nodes have no room for: it is read out and shown on hover. */
  readonly isQuiet?: boolean;
}

export interface GraphEdge {
  readonly id: string;
  /** Identifiers of nodes. */
  readonly from: string;
  readonly to: string;
  /** As "paid": read out, and the class `kind-<kind>` of the style. */
  readonly kind: string;
  /** Explains the edge on hover, as the amount. */
  readonly title: string;
  /** Its share of the largest edge's amount, from 0 to 1: the width of the line. */
  readonly size?: number;
}

export interface ForceGraphProps {
  /** Says what is shown, for screen readers. */
  readonly label: string;
  readonly nodes: readonly GraphNode[];
  /** Edges between other nodes are left out. */
  readonly edges: readonly GraphEdge[];
  readonly onNode?: (node: GraphNode) => void;
  readonly onEdge?: (edge: GraphEdge) => void;
  readonly heightPx?: number;
}

interface Placed extends SimulationNodeDatum {
  readonly node: GraphNode;
}

/** Where a node is drawn. */
interface PlacedNode extends Point {
  readonly node: GraphNode;
}

interface Drawn {
  readonly edge: GraphEdge;
  readonly source: Placed;
  readonly target: Placed;
}

const STEPS = 300;
const RADIUS = 7;
/** Added to the radius of the largest node. */
const RADIUS_MORE = 11;
const LINE_PX = 1.2;
/** Added to the width of the largest edge. */
const LINE_MORE_PX = 3;
const MARGIN = 40;
/** Room for a label at each side. */
const LABEL_WIDTH = 120;
/** Panels are wider than high, except on a narrow screen. */
const WIDENING = 1.7;
const NARROW_PX = 720;
/** About the width of a panel on a wide screen. */
const DRAWN_WIDTH_PX = 1_300;
const ENLARGEMENT_MAX = 2;
const TEXT_PX = 11;
/** Enlarged as often, every node has room for its text. */
const LABELLED_FROM = 2;

/**
 * Nodes and edges as an SVG, placed at once by forces: nothing moves afterwards but the part that is
 * shown (`useGraphView`) and what a reader drags (`useNodeDrag`). Nodes and edges are in the order of the Tab key, and Enter calls their
 * handler, as a click does. The same nodes and edges are placed alike.
 */
export function ForceGraph({
  label,
  nodes,
  edges,
  onNode,
  onEdge,
  heightPx = 480,
}: ForceGraphProps) {
  const layout = useMemo(() => place(nodes, edges), [nodes, edges]);
  const view = useGraphView(layout.viewBox);
  const drag = useNodeDrag(view.svg, layout, layout.viewBox);
  const at = ({ node, x = 0, y = 0 }: Placed) => ({
    node,
    ...(drag.places.get(node.id) ?? { x, y }),
  });
  const textPx = TEXT_PX * enlargementOf(view.viewBox);
  return (
    <div class="force-graph-frame">
      <ViewButtons view={view} drag={drag} />
      <svg
        ref={view.svg}
        class={`force-graph ${view.isWhole ? '' : 'enlarged'}`}
        viewBox={view.viewBox}
        style={{ height: `${heightPx}px` }}
        role="group"
        aria-label={label}
        // In lower case: attributes of SVG are case-sensitive.
        tabindex={0}
        {...view.handlers}
      >
        <defs>
          <marker
            id="arrow"
            viewBox="0 0 8 8"
            refX="8"
            refY="4"
            markerUnits="userSpaceOnUse"
            markerWidth="10"
            markerHeight="10"
            orient="auto"
          >
            <path class="arrow" d="M0 0L8 4L0 8z" />
          </marker>
        </defs>
        {layout.drawn.map(({ edge, source, target }) => (
          <g
            key={edge.id}
            class={`edge kind-${edge.kind}`}
            {...controlOf(onEdge && (() => onEdge(edge)))}
            aria-label={`${source.node.label} ${edge.kind} ${target.node.label}: ${edge.title}`}
          >
            <title>{`${edge.kind}: ${edge.title}`}</title>
            <path class="edge-target" d={lineOf(at(source), at(target))} />
            <path
              class="edge-line"
              d={lineOf(at(source), at(target))}
              style={{ '--line-px': `${(LINE_PX + LINE_MORE_PX * (edge.size ?? 0)).toFixed(1)}px` }}
              marker-end="url(#arrow)"
            />
          </g>
        ))}
        {layout.placed.map(at).map(({ node, x, y }) => (
          <g
            key={node.id}
            class={`node role-${node.role} ${node.isMarked === true ? 'marked' : ''}`}
            transform={`translate(${x} ${y})`}
            {...controlOf(onNode && (() => onNode(node)))}
            {...drag.handlersOf(node.id, { x, y })}
            aria-label={`${node.label}, ${node.role}`}
          >
            <title>{node.title ?? node.role}</title>
            <circle r={radiusOf(node)} />
            {(node.isQuiet !== true || view.enlargement >= LABELLED_FROM) && (
              <text
                // Outwards, where the lines are not.
                x={x < 0 ? -radiusOf(node) - 4 : radiusOf(node) + 4}
                y="4"
                text-anchor={x < 0 ? 'end' : 'start'}
                style={{ fontSize: `${textPx}px` }}
              >
                {showText(node.label, 24)}
              </text>
            )}
          </g>
        ))}
      </svg>
    </div>
  );
}

function ViewButtons({
  view,
  drag,
}: {
  readonly view: ReturnType<typeof useGraphView>;
  readonly drag: ReturnType<typeof useNodeDrag>;
}) {
  return (
    <div class="force-graph-buttons">
      <Button onClick={view.zoomIn}>Zoom in</Button>
      <Button onClick={view.zoomOut} isDisabled={view.isWhole}>
        Zoom out
      </Button>
      <Button onClick={view.showWhole} isDisabled={view.isWhole}>
        Whole graph
      </Button>
      <Button onClick={drag.reset} isDisabled={!drag.hasMoved}>
        Reset layout
      </Button>
      <span class="graph-hint">
        {view.isWhole
          ? 'Ctrl with the wheel, or + on the keyboard. '
          : 'Drag it, or use the arrow keys; 0 shows all. '}
        Circles are dragged too, or moved with Shift and the arrow keys.
      </span>
    </div>
  );
}

function radiusOf({ size = 0 }: GraphNode): number {
  return Math.round(RADIUS + RADIUS_MORE * Math.sqrt(size));
}

function controlOf(act: (() => void) | undefined) {
  if (act === undefined) return { role: 'img' as const };
  return {
    role: 'button' as const,
    // In lower case: attributes of SVG are case-sensitive.
    tabindex: 0,
    onClick: act,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      act();
    },
  };
}

function place(nodes: readonly GraphNode[], edges: readonly GraphEdge[]) {
  const placed = nodes.map((node): Placed => ({ node }));
  const byId = new Map(placed.map((one) => [one.node.id, one]));
  const drawn = edges.flatMap((edge): Drawn[] => {
    const source = byId.get(edge.from);
    const target = byId.get(edge.to);
    return source === undefined || target === undefined ? [] : [{ edge, source, target }];
  });
  // The library replaces the ends of the links that it is given.
  const links = drawn.map(({ source, target }) => ({ source, target }));
  forceSimulation(placed)
    .force('link', forceLink(links).distance(110))
    .force('charge', forceManyBody().strength(-420))
    .force('centre', forceCenter(0, 0))
    .force(
      'collide',
      forceCollide(({ node }: Placed) => 2 * RADIUS + radiusOf(node)),
    )
    .stop()
    .tick(STEPS);
  if (innerWidth > NARROW_PX) for (const one of placed) one.x = (one.x ?? 0) * WIDENING;
  return { placed, drawn, viewBox: boundsOf(placed) };
}

function boundsOf(placed: readonly Placed[]): string {
  const xs = placed.map(({ x = 0 }) => x);
  const ys = placed.map(({ y = 0 }) => y);
  const left = Math.min(0, ...xs) - LABEL_WIDTH;
  const top = Math.min(0, ...ys) - MARGIN;
  const width = Math.max(0, ...xs) - left + LABEL_WIDTH;
  const height = Math.max(0, ...ys) - top + MARGIN;
  return [left, top, width, height].map((value) => value.toFixed(1)).join(' ');
}

/** How many times as large a text is drawn as in the style, so that a shrunk graph stays readable. */
function enlargementOf(viewBox: string): number {
  const [, , width = 0] = viewBox.split(' ').map(Number);
  return Math.min(ENLARGEMENT_MAX, Math.max(1, width / Math.min(innerWidth, DRAWN_WIDTH_PX)));
}

/** Curved, so that edges of both directions between two nodes are apart; ends at the circle. */
function lineOf(source: PlacedNode, target: PlacedNode): string {
  const { x: x0, y: y0 } = source;
  const { x: x1, y: y1 } = target;
  const dx = x1 - x0;
  const dy = y1 - y0;
  const length = Math.hypot(dx, dy) || 1;
  const startGap = (radiusOf(source.node) + 2) / length;
  const endGap = (radiusOf(target.node) + 2) / length;
  const bend = 0.12;
  const start = [x0 + dx * startGap, y0 + dy * startGap];
  const middle = [x0 + dx / 2 - dy * bend, y0 + dy / 2 + dx * bend];
  const end = [x1 - dx * endGap, y1 - dy * endGap];
  const at = (point: number[]) => point.map((value) => value.toFixed(1)).join(' ');
  return `M${at(start)}Q${at(middle)} ${at(end)}`;
}
