import { describe, expect, test } from 'vitest';
import { DOLLAR, fallbackSolUsd, fold, SOL } from '../../../tests/support/master-fixture.ts';
import { person, type StoryPool, WalletStory } from '../../../tests/support/wallet-story.ts';
import { Engine } from '../engine.ts';

const BASE = 1_000_000_000n;
/** All mints and pools of a story are created in its first slot. SOL is at 200 dollars. */
const foldStory = (story: WalletStory, engine = new Engine({ fallbackSolUsd })) =>
  fold(story.end(), engine).engine;
const figures = (engine: Engine, pool: StoryPool = 't-sol') => engine.indicators(person(pool));

describe('snipers of a launch', () => {
  test('are bots up to two slots after it, and people from the third on', () => {
    const story = new WalletStory()
      .buy('A', SOL, BASE)
      .wait(1, 2)
      .buy('B', (3n * SOL) / 2n, BASE)
      .wait(1, 1)
      .buy('C', 2n * SOL, BASE);
    // A 200, B 300 and C 400 dollars, of which C's are organic.
    expect(figures(foldStory(story))).toMatchObject({
      totalWallets: 3,
      organicWallets: 1,
      totalVolumeUsd: 900n * DOLLAR,
      organicVolumeUsd: 400n * DOLLAR,
      tradedOrganicUsd: 400n * DOLLAR,
    });
  });

  test('are bots whatever terminal sent their purchase', () => {
    const story = new WalletStory().add({
      signers: ['A'],
      swaps: [{ who: 'A', side: 'buy', base: BASE, quote: SOL }],
      terminal: 'axiom',
    });
    expect(figures(foldStory(story))).toMatchObject({ totalWallets: 1, organicWallets: 0 });
  });

  test('do not include the creator', () => {
    const story = new WalletStory({ T: 'A' }).buy('A', SOL, BASE).buy('B', SOL, BASE);
    expect(figures(foldStory(story))).toMatchObject({ totalWallets: 2, organicWallets: 1 });
  });

  test('do not include who only sells in those slots', () => {
    const story = new WalletStory()
      .add({
        signers: ['creator'],
        sends: [{ mint: 'T', from: 't-usdc', to: 'A', raw: BASE }],
      })
      .sell('A', SOL, BASE);
    expect(figures(foldStory(story))).toMatchObject({ totalWallets: 1, organicWallets: 1 });
  });

  test('stay bots in all pools of the mint, from the first trade there on', () => {
    const story = new WalletStory()
      .buy('A', SOL, BASE)
      .wait(600)
      .buy('A', 100_000_000n, BASE, 't-usdc')
      .buy('B', 100_000_000n, BASE, 't-usdc');
    const engine = foldStory(story);
    expect(figures(engine, 't-usdc')).toMatchObject({
      totalWallets: 2,
      organicWallets: 1,
      organicVolumeUsd: 100n * DOLLAR,
    });
  });

  test('are people in other mints and as a whole', () => {
    const story = new WalletStory().buy('A', SOL, BASE).wait(600).buy('A', SOL, BASE, 'u-sol');
    const engine = foldStory(story);
    expect(figures(engine, 'u-sol')).toMatchObject({ totalWallets: 1, organicWallets: 1 });
    expect(engine.wallet(person('A'))?.automation?.class).toBe('organic');
  });

  test('mark their trades as those of bots, later ones included', () => {
    const story = new WalletStory().buy('A', SOL, BASE).wait(600).sell('A', SOL, BASE);
    const { changes } = fold(story.end(), new Engine({ fallbackSolUsd }));
    const classes = changes.flatMap(({ swaps }) => swaps.map(({ walletClass }) => walletClass));
    expect(classes).toEqual(['bot', 'bot']);
  });

  test('are none after their slot was taken back by a fork', () => {
    const story = new WalletStory().wait(1, 1).buy('A', SOL, BASE);
    const slots = story.end();
    const engine = new Engine({ fallbackSolUsd });
    for (const facts of slots.slice(0, -1)) engine.apply(facts, { isFinal: false });
    const before = engine.digest();
    const last = slots.at(-1);
    if (last === undefined) throw new Error('a story has slots');
    engine.apply(last, { isFinal: false });
    expect(figures(engine)).toMatchObject({ totalWallets: 1, organicWallets: 0 });
    engine.undo();
    expect(engine.digest()).toBe(before);
  });
});
