import { expect, test } from 'vitest';
import {
  expectCanonical,
  FollowedChain,
  finalFor,
  followUntil,
} from '../../../tests/support/followed-chain.ts';
import { OutageWatch } from './outage-watch.ts';

test('an outage is told of once, and its end once', () => {
  const told: string[] = [];
  const watch = new OutageWatch({
    origin: () => 'one, two',
    onNotice: (sentence) => told.push(sentence),
  });
  for (const [isThere, nowMs] of [
    [true, 0],
    [false, 1_000],
    [false, 2_000],
    [true, 9_000],
    [true, 9_500],
  ] as const) {
    watch.observe(isThere, nowMs);
  }
  expect(told).toEqual([
    expect.stringMatching(/^Nobody brings blocks any more \(one, two\)/),
    'Blocks can be had again after 8 s.',
  ]);
  expect([watch.outages, watch.isOut]).toEqual([1, false]);
});

test('losing every node is told, and shown, until one is back', async () => {
  await using chain = await FollowedChain.start({ nodes: [{}, {}] });
  chain.run(15);
  const told: string[] = [];
  let wasOut = false;
  let isCut = false;
  const isEnough = finalFor(60);
  const followed = await followUntil(
    chain,
    (now) => {
      if (!isCut && now.reader.blocks.length > 20) {
        isCut = true;
        for (const { proxy } of chain.nodes) proxy.cut();
      }
      return wasOut && isEnough(now);
    },
    {
      onNotice: (sentence) => {
        told.push(sentence);
        if (!sentence.startsWith('Nobody')) return;
        wasOut = true;
        for (const { proxy } of chain.nodes) proxy.mend();
      },
    },
  );
  expectCanonical(chain, followed);
  expect(told.filter((sentence) => sentence.startsWith('Nobody'))).toHaveLength(1);
  expect(told.filter((sentence) => sentence.startsWith('Blocks can be had'))).toHaveLength(1);
  expect(followed.source.status).toMatchObject({ outages: 1, isOut: false });
});
