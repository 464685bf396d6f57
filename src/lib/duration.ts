const FACTORS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const DURATION = /^([1-9]\d{0,5})([mhd])$/;

/** Milliseconds of a text such as "90m", "12h" or "30d"; null for anything else. */
export function parseDuration(text: string): number | null {
  const found = DURATION.exec(text);
  return found === null ? null : Number(found[1]) * FACTORS[found[2] as keyof typeof FACTORS];
}
