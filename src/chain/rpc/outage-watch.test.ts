import { expect, test } from 'vitest';
import {
  expectCanonical,
  FollowedChain,
  finalFor,
  followUntil,
} from '../../../tests/support/followed-chain.ts';
import { OutageWatch } from './outage-watch.ts';

test('an outage is reported once, and so is its end', () => {
  const notices: string[] = [];
  const watch = new OutageWatch({
    origin: () => 'one, two',
    reasons: () => ['one: nothing listens there.'],
    onNotice: (sentence) => notices.push(sentence),
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
  expect(notices).toEqual([
    expect.stringMatching(/^No blocks arrive \(one, two\).* one: nothing listens there\.$/),
    'Blocks are available again after 8 s.',
  ]);
  expect([watch.outages, watch.isOut]).toEqual([1, false]);
});

test('losing every node is reported, and shown in the status, until one is back', async () => {
  await using chain = await FollowedChain.start({ nodes: [{}, {}] });
  chain.run(15);
  const notices: string[] = [];
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
        notices.push(sentence);
        if (!sentence.startsWith('No blocks')) return;
        wasOut = true;
        for (const { proxy } of chain.nodes) proxy.mend();
      },
    },
  );
  expectCanonical(chain, followed);
  expect(notices.filter((sentence) => sentence.startsWith('No blocks'))).toHaveLength(1);
  expect(notices.filter((sentence) => sentence.startsWith('Blocks are available'))).toHaveLength(1);
  expect(followed.source.status).toMatchObject({ outages: 1, isOut: false });
});
