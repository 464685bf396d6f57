import { Command } from 'commander';
import {
  agreementIn,
  NO_CASES,
  precisionIn,
  recallIn,
  type ShadowCounts,
} from '../../detector-modules/shadow/shadow-counts.ts';
import { askService } from '../client/ask-service.ts';
import {
  addServiceOptions,
  type ServiceOptions,
  serviceAddressOf,
} from '../client/service-address.ts';
import { printable } from '../printable.ts';
import { type Sample, samplesIn } from './metric-samples.ts';

/** `detectors shadow`: how tried detectors of a running service compare with the built-in ones. */
export function shadowCommand(): Command {
  const command = new Command('shadow')
    .description('Show how tried detectors of a running service compare with the built-in ones.')
    .addHelpText(
      'after',
      `
The counts are since the start of the service. Precision is the part of the cases that a detector
reports and built-in ones report too.

Examples:
  mintscope detectors shadow
  mintscope detectors shadow --json | jq 'select(.precision < 0.8)'`,
    );
  return addServiceOptions(command).action(async (options: ServiceOptions) => {
    const { text } = await askService(serviceAddressOf(options), { path: '/metrics' });
    const tried = triedIn(samplesIn(text, 'mintscope_detector_shadow_'));
    if (tried.length === 0 && options.json !== true) {
      process.stdout.write('No detectors are tried: name some with --shadow-detectors.\n');
    }
    for (const one of tried) {
      const line = options.json === true ? JSON.stringify(one) : printable(toText(one));
      process.stdout.write(`${line}\n`);
    }
  });
}

/** A tried detector. */
interface Tried extends ShadowCounts {
  readonly detector: string;
  readonly cases: number;
  readonly isStopped: boolean;
  readonly agreement: number | null;
  readonly precision: number | null;
  readonly recall: number | null;
}

const COUNT_OF: Readonly<Record<string, keyof ShadowCounts>> = {
  both: 'both',
  detector: 'onlyDetector',
  built_in: 'onlyBuiltIn',
  neither: 'neither',
  failed: 'failed',
};

function triedIn(samples: readonly Sample[]): readonly Tried[] {
  const byDetector = Map.groupBy(samples, ({ labels }) => labels.detector ?? '');
  return [...byDetector].map(([detector, own]) => {
    const figure = (name: string) => own.find((sample) => sample.name === name)?.value ?? 0;
    const counted = own
      .filter(({ name }) => name === 'cases_total')
      .map(({ labels, value }) => [COUNT_OF[labels.reported_by ?? ''] ?? '', value] as const);
    const counts: ShadowCounts = {
      ...NO_CASES,
      ...Object.fromEntries(counted),
      durationMs: figure('seconds_total') * 1_000,
      durationMostMs: figure('case_seconds_max') * 1_000,
      workMost: figure('work_max'),
    };
    return {
      detector,
      cases: counted.reduce((sum, [, value]) => sum + value, 0),
      ...counts,
      isStopped: figure('stopped') === 1,
      agreement: agreementIn(counts),
      precision: precisionIn(counts),
      recall: recallIn(counts),
    };
  });
}

function toText(tried: Tried): string {
  const { detector, cases, both, onlyDetector, onlyBuiltIn, neither, failed } = tried;
  const counts = `both ${both}, only it ${onlyDetector}, only built-in ${onlyBuiltIn}, neither ${neither}, failed ${failed}`;
  const meanMs = cases === 0 ? 0 : tried.durationMs / cases;
  const times = `mean ${meanMs.toFixed(1)} ms, longest ${tried.durationMostMs.toFixed(1)} ms`;
  return `${detector}: ${cases} cases, ${counts}, ${times}${tried.isStopped ? ', STOPPED' : ''}`;
}
