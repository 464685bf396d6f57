import { Component } from 'preact';
import { sparkLine } from '../../charts/spark-line.ts';
import { formatPercent } from '../../format/numbers.ts';
import { heightsOf } from './line-spacing.ts';
import type { Window } from './market-query.ts';
import { lineOf } from './price-lines.ts';

interface RowLineProps {
  readonly address: string;
  readonly window: Window;
}

const WIDTH = 72;
const HEIGHT = 20;

/** The price of a token over a window. Drawn when the line is read, not with each price of its row. */
export class RowLine extends Component<RowLineProps> {
  override shouldComponentUpdate(next: Readonly<RowLineProps>, state: Readonly<object>): boolean {
    // The state is another one when the line has changed.
    const { address, window } = this.props;
    return state !== this.state || next.address !== address || next.window !== window;
  }

  override render({ address, window }: RowLineProps) {
    const prices = lineOf(address, window).value;
    if (prices === null) return null;
    const [first = 0] = prices;
    const last = prices.at(-1) ?? 0;
    const tone = last === first ? '' : last > first ? 'rising' : 'falling';
    const change = formatPercent(String(((last - first) / first).toFixed(6)));
    return (
      <svg
        class={`row-line ${tone}`}
        viewBox={`-1 -1 ${WIDTH + 2} ${HEIGHT + 2}`}
        width={WIDTH + 2}
        height={HEIGHT + 2}
        role="img"
        aria-label={`Price over the last ${window}, ${change} from its first to its last`}
      >
        <path d={sparkLine(heightsOf(prices), { width: WIDTH, height: HEIGHT })} />
      </svg>
    );
  }
}
