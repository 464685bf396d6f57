import { choiceInQuery, setQuery } from '../../../state/router.ts';
import { Segments } from '../../../ui/controls.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { HoldersOverTime } from './holders-over-time.tsx';
import { FirstBuyers, Holders, TopTraders } from './owner-lists.tsx';

const LISTS = ['holders', 'traders', 'first'] as const;

const TITLES = {
  holders: 'Holders',
  traders: 'Top traders',
  first: 'First buyers',
} as const;

/** Who holds and held the token. */
export function OwnersTab({
  mint,
  createdAt,
}: {
  readonly mint: string;
  readonly createdAt: string | null;
}) {
  const list = choiceInQuery('owners', LISTS);
  return (
    <>
      <HoldersOverTime mint={mint} createdAt={createdAt} />
      <Panel
        title={TITLES[list]}
        isFlush
        actions={
          <Segments
            label="List"
            value={list}
            options={LISTS.map((value) => ({ value, title: TITLES[value] }))}
            onChange={(value) => setQuery({ owners: value === 'holders' ? null : value })}
          />
        }
      >
        {list === 'holders' && <Holders mint={mint} />}
        {list === 'traders' && <TopTraders mint={mint} />}
        {list === 'first' && <FirstBuyers mint={mint} />}
      </Panel>
    </>
  );
}
