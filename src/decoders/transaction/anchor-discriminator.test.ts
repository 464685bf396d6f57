import { expect, test } from 'vitest';
import { anchorDiscriminator } from './anchor-discriminator.ts';

// Published in the IDLs of pump and of Anchor's own examples.
test.each([
  ['global', 'initialize', 'afaf6d1f0d989bed'],
  ['global', 'buy', '66063d1201daebea'],
  ['global', 'sell', '33e685a4017f83ad'],
  ['event', 'TradeEvent', 'bddb7fd34ee661ee'],
] as const)('of %s:%s is %s', (namespace, name, discriminator) => {
  expect(anchorDiscriminator(namespace, name)).toBe(discriminator);
});
