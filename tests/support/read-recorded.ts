/** Reads a recorded file and prints its slots and problems, and the peak memory. */
import { readAll } from './recorded-reading.ts';

const [path = ''] = process.argv.slice(2);
const { blocks, problems } = await readAll([path]);
process.stdout.write(
  JSON.stringify({
    slots: blocks.map(({ slot }) => slot),
    problems: problems.map(({ code, position, message }) => `${code} at ${position}: ${message}`),
    peakBytes: process.resourceUsage().maxRSS * 1_024,
  }),
);
