import { expect, test } from 'vitest';
import { placed, tokenChange } from '../../tests/support/block-readings.ts';
import { PeopleMarket, SOL } from '../../tests/support/people-market.ts';
import { airdrop } from './airdrop.ts';

test('an airdrop sends each of a thousand recipients the same amount, from the sender', () => {
  const market = new PeopleMarket('airdrop', {});
  market.planLaunch(100, 0, 10n * SOL);
  market.run(3);
  const [token] = market.launches;
  if (token === undefined) throw new Error('nothing was launched');
  const { world } = market;
  const { mint, launch } = token;
  const recipients = Array.from({ length: 1_000 }, () => world.keyring.wallet());
  let isDone = false;
  const onDone = (): void => {
    isDone = true;
  };
  airdrop(world, { from: launch.creator, mint, recipients, amountRaw: 1_000_000n, onDone });
  const before = market.blocks.length;
  market.run(100);
  const gained = new Map<string, bigint>();
  let given = 0n;
  for (const { transaction } of placed(market.blocks.slice(before))) {
    given += tokenChange(transaction, launch.creator, mint);
    for (const { owner } of transaction.tokenBalances) {
      if (owner !== launch.creator) gained.set(owner, tokenChange(transaction, owner, mint));
    }
  }
  expect(gained).toEqual(new Map(recipients.map((recipient) => [recipient, 1_000_000n])));
  expect(given).toBe(-1_000_000_000n);
  expect(isDone).toBe(true);
});
