/**
 * Loaded before a command by `NODE_OPTIONS=--import`: shifts the time of day by CLOCK_SKEW_MS, and
 * from CLOCK_STEP_AFTER_MS after the start, or once CLOCK_STEP_FILE exists, by CLOCK_STEP_MS more, by
 * default to the opposite shift.
 */
import { existsSync } from 'node:fs';

const skewMs = Number(process.env.CLOCK_SKEW_MS ?? 0);
const stepAfterMs = Number(process.env.CLOCK_STEP_AFTER_MS ?? Number.POSITIVE_INFINITY);
const stepFile = process.env.CLOCK_STEP_FILE ?? '';
const trueNowMs = Date.now.bind(Date);
const stepMs = Number(process.env.CLOCK_STEP_MS ?? -2 * skewMs);
const startedMs = performance.now();
let hasStepped = false;

if (stepFile !== '') {
  setInterval(() => {
    hasStepped ||= existsSync(stepFile);
  }, 20).unref();
}

Date.now = () => {
  hasStepped ||= performance.now() - startedMs >= stepAfterMs;
  return trueNowMs() + (hasStepped ? skewMs + stepMs : skewMs);
};
