import type { BodyOf } from '../../api/client.ts';
import { formatCount } from '../../format/numbers.ts';
import { useRead } from '../../state/use-read.ts';
import { Badge } from '../../ui/badge.tsx';
import { ChainText } from '../../ui/chain-text.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ReadView } from '../../ui/read-view.tsx';
import { type Column, Table } from '../../ui/table.tsx';

type Detector = BodyOf<'/v1/detectors'>['detectors'][number];

/** What judges tokens beside rules: the built-in detectors and those that the operator installed. */
export function DetectorsPanel() {
  const read = useRead('/v1/detectors', {});
  return (
    <Panel title="Detectors" isFlush>
      <ReadView read={read}>
        {({ detectors }) => (
          <Table
            caption="Detectors"
            columns={COLUMNS}
            rows={detectors}
            keyOf={({ name, is_shadow }) => `${name} ${is_shadow}`}
            hrefOf={({ name, results }) =>
              results === 'hits'
                ? `/rules?tab=hits&rule=${encodeURIComponent(`operator/${name}`)}`
                : null
            }
          />
        )}
      </ReadView>
    </Panel>
  );
}

const COLUMNS: readonly Column<Detector>[] = [
  {
    key: 'name',
    title: 'Detector',
    cell: ({ name, rule_id }) => (
      <span title={rule_id ?? undefined}>
        <ChainText text={name} lengthMax={48} />
      </span>
    ),
  },
  { key: 'version', title: 'Version', align: 'end', cell: ({ version }) => version },
  {
    key: 'author',
    title: 'Author',
    cell: ({ author }) => (author === 'operator' ? 'operator' : 'built in'),
  },
  { key: 'state', title: 'State', cell: (detector) => <State detector={detector} /> },
  {
    key: 'hits',
    title: 'Hits',
    hint: 'Of all versions of this name. Built-in detectors have findings.',
    align: 'end',
    cell: ({ hit_count }) => (hit_count === null ? '' : formatCount(hit_count)),
  },
  {
    key: 'pattern',
    title: 'Finds',
    isWideOnly: true,
    cell: ({ pattern }) => <ChainText text={pattern} lengthMax={90} />,
  },
];

function State({ detector: { off, trial } }: { readonly detector: Detector }) {
  if (off !== null) {
    return (
      <Badge tone="bad" title={`It failed (${off.failure}) at slot ${off.slot}.`}>
        off
      </Badge>
    );
  }
  if (trial === null) return <Badge tone="good">judges</Badge>;
  const { both, only_detector, only_built_in, failed } = trial;
  const counts =
    `${both} cases reported by it and by a built-in detector, ${only_detector} only by it, ` +
    `${only_built_in} only by those, ${failed} failed since the start`;
  return trial.is_stopped ? (
    <Badge tone="bad" title={counts}>
      tried, stopped
    </Badge>
  ) : (
    <Badge title={counts}>tried</Badge>
  );
}
