import { beforeAll, describe, expect, test } from 'vitest';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import type { ChainEvent } from '../../src/model/chain-event.ts';
import { WRAPPED_SOL } from '../../src/model/program.ts';
import type { MarketFact } from '../chain/market-fact.ts';
import { toChainBlock } from '../faces/to-chain-block.ts';
import { createSimulation, type Simulation } from '../simulation.ts';
import { PRESETS } from '../simulation-presets.ts';

const SLOTS = 1_200;

describe('launches without a launchpad', () => {
  let simulation: Simulation;
  const facts: MarketFact[] = [];
  const events: ChainEvent[] = [];
  const problems: string[] = [];

  beforeAll(() => {
    simulation = createSimulation({
      ...PRESETS.calm,
      seed: 'pool launches',
      launchesPerHour: 0,
      poolLaunchesPerHour: 400,
    });
    for (let passed = 0; passed < SLOTS; passed++) {
      const block = simulation.step()?.block;
      if (block === undefined) continue;
      facts.push(...block.transactions.flatMap((transaction) => transaction.facts));
      const decoded = decodeBlock(toChainBlock(block));
      events.push(...decoded.transactions.flatMap((transaction) => transaction.events));
      problems.push(...decoded.problems.map(({ program, reason }) => `${program}: ${reason}`));
    }
  });

  const poolsMade = () =>
    facts
      .filter((fact) => fact.kind === 'poolCreated')
      .filter(({ quoteMint }) => quoteMint === WRAPPED_SOL);

  test('open pools of every kind, which people trade', () => {
    const venues = new Set(poolsMade().map(({ venue }) => venue));
    expect(venues).toEqual(new Set(['raydium_cpmm', 'raydium_amm_v4', 'meteora_dlmm']));
    const traded = new Set(facts.filter((fact) => fact.kind === 'trade').map(({ pool }) => pool));
    const untouched = poolsMade().filter(({ pool }) => !traded.has(pool));
    expect(untouched.length).toBeLessThan(poolsMade().length / 2);
  });

  test('burn or lock liquidity in each of the possible ways', () => {
    const lockers = events
      .filter((event) => event.kind === 'tokenLock')
      .map(({ locker }) => locker);
    expect(new Set(lockers)).toEqual(new Set(['raydium_lock', 'streamflow']));
    const creators = new Set<string | null>(poolsMade().map(({ creator }) => creator));
    const burns = events
      .filter((event) => event.kind === 'tokenTransfer')
      .filter(({ transferKind, fromOwner }) => transferKind === 'burn' && creators.has(fromOwner));
    expect(burns.length).toBeGreaterThan(2);
  });

  test('create mints with transfer fees, and every unit of them is accounted for', () => {
    const { ledger } = simulation.world.chain;
    const held = new Map<string, bigint>();
    let withheldRaw = 0n;
    for (const [, { token }] of ledger.entries()) {
      if (token === null) continue;
      withheldRaw += token.withheldRaw;
      held.set(token.mint, (held.get(token.mint) ?? 0n) + token.amountRaw + token.withheldRaw);
    }
    expect(withheldRaw).toBeGreaterThan(0n);
    for (const { baseMint } of poolsMade()) {
      expect([baseMint, held.get(baseMint)]).toEqual([baseMint, ledger.mint(baseMint).supplyRaw]);
    }
  });

  test('are fully decoded, down to the last instruction', () => {
    expect(problems).toEqual([]);
  });
});
