import { expect, test } from 'vitest';
import { address } from '../../tests/support/build-transaction.ts';
import { formatLabels } from './format-labels.ts';
import { Labels } from './labels.ts';

const [MINT, ONE, OTHER] = [address('Mint'), address('One'), address('Other')];

test('labels are written with maps as objects and sets as lists, in insertion order', () => {
  const labels = new Labels();
  labels.addWallet(OTHER, { automation: 'bot', isSmart: false, behaviour: 'sniper' });
  labels.addWallet(ONE, { automation: 'organic', isSmart: true, behaviour: 'casual' });
  labels.attacks.push({
    type: 'late_bundle',
    difficulty: 'hard',
    mint: MINT,
    roles: new Map([
      [ONE, 'attacker'],
      [OTHER, 'bundler'],
    ]),
    fundedFromSlot: null,
    startSlot: 5,
    endSlot: null,
    seed: 'market/attack 1',
    knobs: { share: 0.25 },
  });
  labels.benign.push({
    family: 'N4',
    mint: MINT,
    wallets: new Set([OTHER, ONE]),
    startSlot: 7,
    endSlot: 9,
    seed: 'market/benign 1',
    knobs: {},
  });
  const text = formatLabels(labels);
  expect(JSON.parse(text)).toEqual({
    format: 1,
    wallets: {
      [OTHER]: { automation: 'bot', isSmart: false, behaviour: 'sniper' },
      [ONE]: { automation: 'organic', isSmart: true, behaviour: 'casual' },
    },
    attacks: [
      {
        type: 'late_bundle',
        difficulty: 'hard',
        mint: MINT,
        roles: { [ONE]: 'attacker', [OTHER]: 'bundler' },
        fundedFromSlot: null,
        startSlot: 5,
        endSlot: null,
        seed: 'market/attack 1',
        knobs: { share: 0.25 },
      },
    ],
    benign: [
      {
        family: 'N4',
        mint: MINT,
        wallets: [OTHER, ONE],
        startSlot: 7,
        endSlot: 9,
        seed: 'market/benign 1',
        knobs: {},
      },
    ],
  });
  expect(text.indexOf(OTHER)).toBeLessThan(text.indexOf(ONE));
});
