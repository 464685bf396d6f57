/**
 * Loaded before a command by `NODE_OPTIONS=--import`: shifts the time of day by CLOCK_SKEW_MS, and
 * from CLOCK_STEP_AFTER_MS after the start by CLOCK_STEP_MS more, by default to the opposite shift.
 */
const skewMs = Number(process.env.CLOCK_SKEW_MS ?? 0);
const stepAfterMs = Number(process.env.CLOCK_STEP_AFTER_MS ?? Number.POSITIVE_INFINITY);
const trueNowMs = Date.now.bind(Date);
const stepMs = Number(process.env.CLOCK_STEP_MS ?? -2 * skewMs);
const startedMs = performance.now();

Date.now = () =>
  trueNowMs() + (performance.now() - startedMs < stepAfterMs ? skewMs : skewMs + stepMs);
