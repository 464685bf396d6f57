import { formatCount } from '../../format/numbers.ts';
import { useRead } from '../../state/use-read.ts';
import { FigureRow, NamedFigure } from '../../ui/figure.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Percent } from '../../ui/percent.tsx';
import { ReadView } from '../../ui/read-view.tsx';
import { Empty } from '../../ui/states.tsx';
import type { ModelName } from './signal-types.ts';

/** Returns at the highest price since, which are no returns: last on the page, and said so. */
export function HighestReturns({
  from,
  model,
}: {
  readonly from: string;
  readonly model: ModelName | null;
}) {
  const read = useRead('/v1/signals/statistics', {
    from_date: from,
    ...(model === null ? {} : { model_name: model }),
  });
  return (
    <Panel title="At the highest price since">
      <p class="muted">
        An upper bound: nobody knows the highest price when it is there, and costs are not in it.
        Other services show this figure alone.
      </p>
      <ReadView read={read}>
        {({ total_signals: count, roi_statistics: roi, drawdown_statistics: drawdown }) =>
          count === 0 ? (
            <Empty>No signals in this period.</Empty>
          ) : (
            <FigureRow>
              <NamedFigure name="Signals">{formatCount(count)}</NamedFigure>
              <NamedFigure name="Median">
                <Percent value={roi.median_max_roi} isPlain />
              </NamedFigure>
              <NamedFigure name="Mean">
                <Percent value={roi.avg_max_roi} isPlain />
              </NamedFigure>
              <NamedFigure name="Lowest">
                <Percent value={roi.min_roi} isPlain />
              </NamedFigure>
              <NamedFigure name="Highest">
                <Percent value={roi.max_roi} isPlain />
              </NamedFigure>
              <NamedFigure name="Median fall before it">
                <Percent value={drawdown.median_drawdown_before_ath} isPlain />
              </NamedFigure>
            </FigureRow>
          )
        }
      </ReadView>
    </Panel>
  );
}
