import { posix } from 'node:path';
import { constants, createContext, Script } from 'node:vm';
import { checkJudgements } from '../../fraud/contract/check-judgements.ts';
import type { CaseReading } from '../../fraud/contract/detector.ts';
import type {
  DetectorOutcome,
  InstalledDetector,
} from '../../fraud/contract/installed-detector.ts';
import type { Clusters } from '../../fraud/links/clusters.ts';
import { toBigintJson } from '../../lib/bigint-json.ts';
import { UsageError } from '../../model/errors.ts';
import { isAddress } from '../../model/units.ts';
import type { DetectorPackage } from '../package/detector-package.ts';
import { checkDescription } from './check-description.ts';
import { GUARD, instrument } from './instrument.ts';
import { bridgeReading, type HostAnswers } from './realm/bridge-reading.ts';
import { chargeConstructors } from './realm/charge-constructors.ts';
import { chargeMethods } from './realm/charge-methods.ts';
import { chargeTools } from './realm/charge-tools.ts';
import { createMeter } from './realm/create-meter.ts';
import { freezeAll } from './realm/freeze-all.ts';
import { loadDetector, type RealmFile } from './realm/load-detector.ts';
import { openRealm, type Realm, type RealmHost, type RealmParts } from './realm/open-realm.ts';
import { plainText } from './realm/plain-text.ts';
import { type RunOutcome, runDetector } from './realm/run-detector.ts';
import { takeAway } from './realm/take-away.ts';

/** Turns and calls of one judgement: a hundred times what the built-in detectors need. */
export const WORK_MAX = 20_000_000;
/**
 * What is not counted, such as products of huge bigints, must not hang a process either. Beyond this
 * time the process ends: a judgement must not depend on the speed of a machine.
 */
const STALLED_MS = 60_000;
const LIMITS: Pick<RealmHost, 'meter' | 'text' | 'work'> = {
  meter: { depthMax: 200, argumentsMax: 10_000 },
  text: { depthMax: 10, valuesMax: 100_000, charactersMax: 2_000_000 },
  work: WORK_MAX,
};
const DETAIL_MAX = 300;

/** Each as text, so none refers to anything but its parameters. */
const PARTS: RealmParts = {
  bridgeReading,
  chargeConstructors,
  chargeMethods,
  chargeTools,
  createMeter,
  freezeAll,
  loadDetector,
  plainText,
  runDetector,
  takeAway,
};

/** Opens the realm of the one in which it is evaluated. */
const REALM = new Script(
  `'use strict'; (host) => (${openRealm})({${Object.entries(PARTS)
    .map(([name, part]) => `${name}: ${part}`)
    .join(', ')}}, host)`,
  { filename: 'detector-realm.js' },
);

/** Names that a file of a module sees as parameters; the global object is none of them. */
const WRAPPED = `(function (exports, module, require, ${GUARD}) { 'use strict';`;

/**
 * Opens the detector of a package in a realm of its own, in which nothing but its input decides what
 * it judges. Throws UsageError for a package whose code cannot be used.
 */
export function openDetector(source: DetectorPackage, stalledMs = STALLED_MS): InstalledDetector {
  const sandbox = new Sandbox(source, stalledMs);
  const described = sandbox.run(({ describe }) => describe());
  if (described.kind !== 'text') throw refused(source, detailOf(described));
  const description = checkDescription(described.text, source.name);
  if (typeof description === 'string') throw refused(source, description);
  const { name, hash } = source;
  return {
    ...{ ...description, name, hash },
    judge: (reading, text) => sandbox.judge(reading, text),
    spent: () => sandbox.spent(),
  };
}

class Sandbox {
  private readonly source: DetectorPackage;
  private readonly files = new Map<string, RealmFile>();
  private readonly realm: Realm;
  private readonly context = createContext(constants.DONT_CONTEXTIFY, {
    codeGeneration: { strings: false, wasm: false },
  });
  private readonly call: Script;
  private next: (realm: Realm) => RunOutcome = ({ describe }) => describe();
  private reading: CaseReading | null = null;
  private readonly known = new Map<string, Clusters>();
  private readonly stalledMs: number;

  constructor(source: DetectorPackage, stalledMs: number) {
    this.source = source;
    this.stalledMs = stalledMs;
    for (const { path, text } of source.files) this.files.set(path, this.compile(path, text));
    const open = REALM.runInContext(this.context) as (host: RealmHost) => Realm;
    this.realm = open({
      ...LIMITS,
      ...this.answers(),
      main: source.main,
      resolve: (from, name) => this.resolve(from, name),
      file: (path) => this.files.get(path) ?? '',
    });
    const hook = `${GUARD}_run`;
    Object.defineProperty(this.context, hook, { value: () => this.next(this.realm) });
    this.call = new Script(`${hook}()`);
  }

  judge(reading: CaseReading, text: string): DetectorOutcome {
    this.reading = reading;
    const outcome = this.run(({ judge }) => judge(text));
    this.reading = null;
    this.known.clear();
    if (outcome.kind === 'exceeded') {
      return { kind: 'failed', failure: outcome.bound, detail: detailOf(outcome) };
    }
    if (outcome.kind !== 'text') {
      return { kind: 'failed', failure: outcome.kind, detail: detailOf(outcome) };
    }
    const checked = checkJudgements(outcome.text, reading.mintCase.slot);
    return checked.kind === 'judgements'
      ? { kind: 'judged', judgements: checked.judgements }
      : { kind: 'failed', failure: 'garbage', detail: checked.problem };
  }

  /** Runs code of the realm. Throws StalledDetector if it does not end. */
  run(what: (realm: Realm) => RunOutcome): RunOutcome {
    this.next = what;
    try {
      // The objects of the realm are read once, and only by what is a text in them.
      return { ...this.call.runInContext(this.context, { timeout: this.stalledMs }) };
    } catch (error) {
      // It may be an error of the realm, which is no Error of this one.
      const { code } = Object(error) as { readonly code?: unknown };
      if (code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      throw new StalledDetector(this.source.name, { cause: error });
    }
  }

  spent(): number {
    return this.realm.spent();
  }

  private compile(path: string, text: string): RealmFile {
    if (path.endsWith('.json')) return text;
    const instrumented = instrument(text);
    if (instrumented.kind === 'refused') {
      throw refused(this.source, `${path}: ${instrumented.problem}`);
    }
    const filename = `${this.source.name}/${path}`;
    const script = new Script(`${WRAPPED}${instrumented.code}\n})`, { filename });
    return script.runInContext(this.context) as RealmFile;
  }

  private resolve(from: string, name: string): string | null {
    const path = from === '' ? name : posix.join(posix.dirname(from), name);
    if (from !== '' && !name.startsWith('.')) return null;
    const ends = ['', '.js', '.cjs', '.json', '/index.js'];
    return ends.map((end) => `${path}${end}`).find((one) => this.files.has(one)) ?? null;
  }

  private answers(): HostAnswers {
    return {
      clusters: (without) => {
        try {
          return toBigintJson({ all: this.clusters(without).all });
        } catch (error) {
          if (!(error instanceof Error)) throw error;
          return JSON.stringify({ all: [], problem: error.message });
        }
      },
      strength: (without, one, other) =>
        isAddress(one) && isAddress(other) ? this.clusters(without).strength(one, other) : 0,
      linksOf: (without, one, other) =>
        isAddress(one) && isAddress(other)
          ? toBigintJson(this.clusters(without).linksOf(one, other))
          : '[]',
    };
  }

  private clusters(without: string): Clusters {
    const known = this.known.get(without);
    if (known !== undefined) return known;
    if (this.reading === null) throw new Error('There is no case to read.');
    const clusters = this.reading.clusters(JSON.parse(without));
    this.known.set(without, clusters);
    return clusters;
  }
}

/** A detector did not end, in work that is not counted. The process must not go on without it. */
export class StalledDetector extends Error {
  override readonly name = 'StalledDetector';

  constructor(detector: string, options: ErrorOptions) {
    super(
      `The detector ${detector} did not end within ${STALLED_MS / 1_000} s, in work that cannot be counted: take it out of --detectors.`,
      options,
    );
  }
}

function detailOf(outcome: Exclude<RunOutcome, { readonly kind: 'text' }>): string {
  if (outcome.kind !== 'exceeded') return outcome.detail.slice(0, DETAIL_MAX);
  return outcome.bound === 'work'
    ? `It did not end within ${WORK_MAX} turns and calls.`
    : `Its calls are more than ${LIMITS.meter.depthMax} deep.`;
}

function refused({ name }: DetectorPackage, reason: string): UsageError {
  return new UsageError(`The detector ${name} cannot be used: ${reason.replace(/\.$/, '')}.`);
}
