import { expect, test } from 'vitest';
import { PeopleMarket, SOL } from '../../tests/support/people-market.ts';
import type { PoolWatcher } from './world.ts';

test('a watcher of a pool receives each trade of canonical blocks, once, until it stops', () => {
  const market = new PeopleMarket('watch', { casual: 60 }, { forkRate: 0.2 });
  market.planLaunch(100, 0.7, SOL);
  market.run(3);
  const { world } = market;
  const [curve] = world.marketsOf(market.launches[0]?.mint ?? world.keyring.account());
  if (curve === undefined) throw new Error('nothing was launched');
  const heard: string[] = [];
  const watcher: PoolWatcher = (fact, { transaction, slot, txIndex }) => {
    if (fact.kind === 'trade') heard.push(`${slot}/${txIndex}/${transaction.signatures[0]}`);
  };
  world.watch(curve.pool, watcher);
  const from = market.blocks.length;
  market.run(300);
  world.unwatch(curve.pool, watcher);
  const until = market.blocks.length;
  market.run(100);
  const stood = market.blocks
    .slice(from, until)
    .flatMap(({ slot, transactions }) =>
      transactions.flatMap(({ facts, signatures }, txIndex) =>
        facts.some((fact) => fact.kind === 'trade' && fact.pool === curve.pool)
          ? [`${slot}/${txIndex}/${signatures[0]}`]
          : [],
      ),
    );
  expect(heard).toEqual(stood);
  expect(heard.length).toBeGreaterThan(30);
});
