/**
 * What ends "at once" or "within seconds" must have ended after so long on any machine, however busy
 * it is. Where it is asserted, a defect takes minutes or for ever.
 */
export const SOON_MS = 60_000;
