import type { FraudQuality } from '../fraud-quality.ts';
import type { LaunchRow } from '../launches/launch-report.ts';
import type { SignalQuality } from '../signal-quality.ts';
import type { WalletQuality } from '../wallet-quality.ts';
import type { JudgedFigure, Part } from './judged-figure.ts';
import {
  readFraud,
  readLaunches,
  readSentiment,
  readSignals,
  readWallets,
  type SentimentRow,
} from './read-reports.ts';

/** One run of a report for the table of all. A report's other options are its own. */
export interface ReportRun {
  /** `scripts/quality-<report>.ts`, which writes JSON with `--json`. */
  readonly report: string;
  /** The parts that its figures belong to. */
  readonly parts: readonly Part[];
  readonly args: (isQuick: boolean) => readonly string[];
  readonly read: (json: unknown) => readonly JudgedFigure[];
}

export const REPORTS: readonly ReportRun[] = [
  {
    report: 'fraud',
    parts: ['training'],
    args: (isQuick) => ['--seeds', 'training', '--runs', isQuick ? '1' : '12'],
    read: (json) => readFraud(json as FraudQuality, 'training'),
  },
  {
    report: 'fraud',
    parts: ['held back', 'adversarial'],
    args: (isQuick) => (isQuick ? ['--runs', '1'] : []),
    read: (json) => readFraud(json as FraudQuality, 'held back'),
  },
  {
    report: 'wallets',
    parts: ['training'],
    args: (isQuick) => (isQuick ? ['--seeds', 'training-1'] : ['--training']),
    read: (json) => readWallets(json as WalletQuality, 'training'),
  },
  {
    report: 'wallets',
    parts: ['held back'],
    args: (isQuick) => (isQuick ? ['--seeds', 'held-back-4'] : []),
    read: (json) => readWallets(json as WalletQuality, 'held back'),
  },
  {
    report: 'signals',
    parts: ['held back'],
    args: (isQuick) => (isQuick ? ['--days', '6', '--demo-hours', '0'] : []),
    read: (json) => readSignals(json as SignalQuality, 'held back'),
  },
  {
    report: 'launches',
    parts: ['recorded'],
    args: () => [],
    read: (json) => readLaunches(json as readonly LaunchRow[]),
  },
  {
    report: 'sentiment',
    parts: ['recorded'],
    args: () => [],
    read: (json) => readSentiment(json as readonly SentimentRow[]),
  },
];
