/** Colours of the present theme, from the style's properties. */
export interface ChartColours {
  readonly text: string;
  readonly grid: string;
  readonly rising: string;
  readonly falling: string;
  readonly accent: string;
  readonly series: readonly string[];
}

/** Reads the colours: again when `isDark` (state/theme.ts) changes. */
export function readColours(): ChartColours {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    text: colour('text-muted'),
    grid: colour('line'),
    rising: colour('rising'),
    falling: colour('falling'),
    accent: colour('accent'),
    series: [1, 2, 3, 4, 5, 6].map((index) => colour(`series-${index}`)),
  };
}
