import { NO_STYLE, type Style } from '../../lib/terminal/terminal.ts';

/** Figures of a service for its status line; null is unknown. */
export interface StatusFigures {
  readonly slot: number | null;
  /** A chain is followed: there is a lag and a rate. */
  readonly isFollowing: boolean;
  readonly lagMs: number | null;
  readonly slotsPerSecond: number | null;
  /** Ranges of slots that are missing in the log. */
  readonly gaps: number;
  readonly memoryBytes: number;
}

/** The most that a chain is behind in normal operation. */
const LAG_USUAL_MS = 10_000;

/** The parts of the status line, the most important one first. */
export function statusParts(figures: StatusFigures, style: Style = NO_STYLE): string[] {
  const { slot, isFollowing, gaps, memoryBytes } = figures;
  return [
    slot === null ? 'no slot yet' : `slot ${slot}`,
    ...(isFollowing ? [lagText(figures, style), rateText(figures)] : []),
    gaps === 0 ? 'no gaps' : style('yellow', gaps === 1 ? '1 gap' : `${gaps} gaps`),
    `${Math.round(memoryBytes / 2 ** 20)} MiB`,
  ];
}

function lagText({ lagMs }: StatusFigures, style: Style): string {
  if (lagMs === null) return 'lag unknown';
  const text = `lag ${durationText(lagMs)}`;
  return lagMs > LAG_USUAL_MS ? style('yellow', text) : text;
}

function rateText({ slotsPerSecond }: StatusFigures): string {
  return slotsPerSecond === null ? '- slots/s' : `${slotsPerSecond.toFixed(1)} slots/s`;
}

/** `0.4 s`, `3 min 20 s`, `2 h 5 min`, `4 d 3 h`. */
export function durationText(durationMs: number): string {
  const seconds = durationMs / 1_000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.floor(seconds);
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  if (whole < 86_400)
    return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`;
  return `${Math.floor(whole / 86_400)} d ${Math.floor((whole % 86_400) / 3_600)} h`;
}
