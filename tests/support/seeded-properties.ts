/**
 * Replaces `fast-check` in every test (vitest.config.ts): properties draw from one seed, so that
 * the results depend on the code and not on chance. `MINTSCOPE_TEST_PROPERTY_SEED=random` draws a new
 * seed; a number repeats the run that printed it.
 */
import fc from 'fast-check';

const SEED = 20_261_122;

const wanted = process.env.MINTSCOPE_TEST_PROPERTY_SEED ?? String(SEED);
if (wanted !== 'random') {
  const seed = Number(wanted);
  if (!Number.isInteger(seed)) {
    throw new RangeError(
      'MINTSCOPE_TEST_PROPERTY_SEED must be a whole number or the word "random".',
    );
  }
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
}

export * from 'fast-check';
export default fc;
