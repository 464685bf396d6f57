import { ShadowProcess } from '../../src/ingestion/shadow-process.ts';
import { encodeSlotFacts } from '../../src/store/codecs/facts-codec.ts';
import { createTrader, fallbackSolUsd, launch, SOL, second } from './master-fixture.ts';

/**
 * A process with a shadow fold: `fold` makes it fold slot after slot until it is killed; `leave`
 * ends by itself once the fold is ready, without closing it. Prints `folding` or `ready`.
 * Arguments: the folder, the mode.
 */
const [folder = '', what = ''] = process.argv.slice(2);
const SLOTS_A_PIECE = 500;
const trade = createTrader();
let seconds = 0;

function nextSlot(): string {
  const transactions = seconds === 0 ? [launch()] : [trade('wallet', 'buy', SOL, 1n)];
  return encodeSlotFacts(second(seconds++, ...transactions));
}

const awake = setInterval(() => undefined, 1_000);
const engine = { fallbackSolUsd };
const shadow = new ShadowProcess({
  ...{ folder, base: null, spillFolder: folder, engine, rules: 'rules', epoch: 1 },
});
await shadow.ready();
process.stdout.write(what === 'leave' ? 'ready\n' : 'folding\n');
while (what === 'fold') await shadow.fold(Array.from({ length: SLOTS_A_PIECE }, nextSlot));
clearInterval(awake);
