import { asAddress } from '../../../src/model/units.ts';
import { bytesOf } from '../../chain/keyring.ts';
import { planStream } from '../../programs/streamflow.ts';
import { stageOrdinaryToken } from '../audience.ts';
import type { BenignGroup } from '../benign-group.ts';
import { heldOf, partOf, tokenOrder } from '../orders.ts';
import type { ScenarioContext } from '../scenario.ts';
import { pause, type Script, together } from '../script.ts';
import { land } from '../sending.ts';

/** A staking program's vault is owned by a program address. */
const STAKING_PROGRAM = asAddress('FarmsPZpWu9i7Kky8tPN37rs2TpmMrAZrC7S7vJa91Hr');
const HOLDERS = 22;
const STAKE_SHARE = { least: 0.5, most: 1 } as const;
const LOCK_S = 60 * 86_400;

/**
 * N15: many wallets send their tokens to one address, which does not sell them. Holders lock
 * their tokens or deposit them in one staking vault.
 */
export function* escrows(context: ScenarioContext, group: BenignGroup): Script {
  const { world, random } = context;
  const staged = yield* stageOrdinaryToken(context, {
    quality: 0.4,
    onlookers: {
      count: HOLDERS,
      overMs: 80_000,
      medianSol: 0.4,
      nervousShare: 0,
      impatientShare: 0,
    },
    purchases: HOLDERS - 4,
  });
  if (staged === null) return;
  const { mint } = staged;
  const vaultOwner = world.keyring.derived(STAKING_PROGRAM, 'vault', bytesOf(mint));
  group.add(vaultOwner);
  group.begin(mint, world.slot, { holders: HOLDERS });
  yield* together(
    [...staged.onlookers.wallets].map(function* (holder, index) {
      group.add(holder);
      yield* pause(world, random.between(0, 60_000));
      const share = random.within(STAKE_SHARE);
      const heldRaw = heldOf(context, holder, mint);
      if (heldRaw === 0n) return;
      if (index % 3 > 0) {
        const stake = [{ wallet: vaultOwner, share }];
        yield* land(world, tokenOrder(context, holder, mint, stake));
        return;
      }
      const stream = planStream(world.keyring, world.tokenAccounts);
      const unlockTime = Math.floor(world.nowMs / 1_000) + LOCK_S;
      const lock = { sender: holder, mint, amountRaw: partOf(heldRaw, share), unlockTime };
      yield* land(world, {
        feePayer: holder,
        signers: stream.createSigners,
        build: (execution) => stream.create(execution, lock),
      });
    }),
  );
  group.end();
}
