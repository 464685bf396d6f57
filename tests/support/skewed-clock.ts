/**
 * Loaded before a command by `NODE_OPTIONS=--import`: the time of day is CLOCK_SKEW_MS off, and from
 * CLOCK_STEP_AFTER_MS after the start on CLOCK_STEP_MS more, or as far off in the other direction.
 */
const skewMs = Number(process.env.CLOCK_SKEW_MS ?? 0);
const stepAfterMs = Number(process.env.CLOCK_STEP_AFTER_MS ?? Number.POSITIVE_INFINITY);
const trueNowMs = Date.now.bind(Date);
const stepMs = Number(process.env.CLOCK_STEP_MS ?? -2 * skewMs);
const startedMs = performance.now();

Date.now = () =>
  trueNowMs() + (performance.now() - startedMs < stepAfterMs ? skewMs : skewMs + stepMs);
