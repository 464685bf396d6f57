/**
 * Attacks the service while it follows a chain of mainnet's mix, and reports the effect on a client
 * of another account and on ingestion: first calm, then attacked. Everything runs on this machine.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseLiveOptions, SHARED_HELP } from '../bench/live-options.ts';
import { fixed, integer, printTable } from '../bench/table.ts';
import type { Attack } from './attacks/attack.ts';
import { noAttack } from './attacks/no-attack.ts';
import { ATTACKS } from './attacks/registry.ts';
import { type AttackReport, runAttack, type StretchFigures } from './attacks/run-attack.ts';

const NAMES = ATTACKS.map(({ name }) => name).join(', ');

function helpOf(attack: Attack | undefined): string {
  const said = attack === undefined ? `Attacks: ${NAMES}.` : `${attack.name}: ${attack.summary}`;
  return `Attacks the service on this machine and measures what others notice.
${said}

  npm run attack -- <name> [options]

  --calm <number>      seconds measured before the attack (30)
  --seconds <number>   seconds measured under it (30)
  --keys <number>      keys of the attacker's account (10)
  --rate-limit <n>     requests a minute that each key is allowed (600, as the service ships)
  --control <file>     compare with the report of no-attack over the same time, not with the calm part:
                       a longer measurement includes checkpoints and a larger state
  --out <file>         write the report there as well, as JSON
${SHARED_HELP}

Examples:
  npm run attack -- worst-case-reads --seconds 60 --load 20 --reads 40
  npm run attack -- no-attack --seconds 600 --tape /var/tmp/mintscope-tape --out control.json
  npm run attack -- idle-sockets --seconds 600 --tape /var/tmp/mintscope-tape --control control.json`;
}

const [name = '', ...rest] = process.argv.slice(2);
const attack = ATTACKS.find((each) => each.name === name);
const control = takeControl(rest);
process.argv.splice(2, process.argv.length, ...(name.startsWith('-') ? [name] : rest));
const options = parseLiveOptions(
  { calm: 30, seconds: 30, keys: 10, 'rate-limit': 600 },
  helpOf(attack),
);
if (attack === undefined) {
  console.error(`There is no attack "${name}": choose one of ${NAMES}.`);
  process.exit(2);
}
const report = await runAttack(
  attack,
  {
    calmSeconds: options.calm,
    attackedSeconds: options.seconds,
    attackerKeys: options.keys,
    requestsPerMinute: options['rate-limit'],
  },
  options,
);
const json = JSON.stringify({ ...report, verdict: verdictOf(report) });
if (options.out !== null) writeFileSync(options.out, `${json}\n`);
if (options.isJson) console.log(json);
else print(report);
if (report.calm.live.void !== null || !verdictOf(report).isHeld) process.exitCode = 1;

/** Removes `--control <file>` from the arguments; returns what that run measured, null without it. */
function takeControl(args: string[]): StretchFigures | null {
  const at = args.indexOf('--control');
  if (at < 0) return null;
  const [, path = ''] = args.splice(at, 2);
  const { attack: name, attacked }: AttackReport = JSON.parse(readFileSync(path, 'utf8'));
  if (name === noAttack.name) return attacked;
  console.error(`--control takes a report of ${noAttack.name}; ${path} is one of ${name}.`);
  process.exit(2);
}

/** Checks G8, and that other clients see no error. */
function verdictOf({ calm, attacked, attacker }: AttackReport) {
  const normal = control ?? calm;
  const hotRatio = attacked.live.readMs.p99 / normal.live.readMs.p99;
  const costlyRatio = attacked.costly.p99Ms / normal.costly.p99Ms;
  const failures = Object.entries(attacked.costly.statuses).filter(([status]) => status !== '200');
  const isWrongToAttacker = Object.keys(attacker).some((status) => /^5(?!03)\d\d$/.test(status));
  const isIngesting = attacked.live.lagWithinTwo >= normal.live.lagWithinTwo - 0.01;
  const isHeld =
    hotRatio <= 2 &&
    costlyRatio <= 2 &&
    failures.length === 0 &&
    attacked.live.failedReads === 0 &&
    !isWrongToAttacker &&
    isIngesting;
  return { hotRatio, costlyRatio, isHeld };
}

function print(made: AttackReport): void {
  const { calm, attacked, before, during, after, attacker, loadBefore, terms } = made;
  const { hotRatio, costlyRatio, isHeld } = verdictOf(made);
  const row = (measure: string, of: (stretch: StretchFigures) => string) => [
    measure,
    of(calm),
    of(attacked),
  ];
  printTable(
    `${made.attack}, ${terms.calmSeconds} s calm, ${terms.attackedSeconds} s under attack; load ${fixed(loadBefore, 2)} before it began`,
    [
      ['measure', 'calm', 'attacked'],
      row('ingestion lag, most, slots', ({ live }) => integer(live.lagSlots.max)),
      row('at most two slots behind', ({ live }) => fixed(live.lagWithinTwo, 4)),
      row(
        'hot reads p50 / p99, ms',
        ({ live: { readMs } }) => `${fixed(readMs.p50, 1)} / ${fixed(readMs.p99, 1)}`,
      ),
      row(
        'reads of the store p50 / p99, ms',
        ({ costly }) => `${fixed(costly.p50Ms, 1)} / ${fixed(costly.p99Ms, 1)}`,
      ),
      row('hot reads that failed', ({ live }) => integer(live.failedReads)),
      row('reads of the store by status', ({ costly }) => JSON.stringify(costly.statuses)),
      row('processors used', ({ live }) => fixed(live.serviceCores, 2)),
    ],
  );
  console.log(
    `p99 against ${control === null ? 'calm' : 'the control'}: hot reads × ${fixed(hotRatio, 2)}, of the store × ${fixed(costlyRatio, 2)}`,
  );
  console.log(`attacker: ${JSON.stringify(attacker)}`);
  console.log(
    `descriptors before / during / after: ${before.descriptors} / ${during.descriptors} / ${after.descriptors}`,
  );
  console.log(
    `resident MiB before / during / after: ${integer(before.rssMib)} / ${integer(during.rssMib)} / ${integer(after.rssMib)}`,
  );
  if (calm.live.void !== null) {
    console.log(`VOID: ${calm.live.void}, before the attack.`);
  }
  console.log(isHeld ? 'held' : 'NOT HELD');
}
