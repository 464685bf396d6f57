import { type JudgedFigure, PARTS, type Part } from './judged-figure.ts';

/**
 * The figures of a page that `npm run quality -- --out` wrote. Lines that are no row of a part are
 * left out.
 */
export function readPage(page: string): JudgedFigure[] {
  const figures: JudgedFigure[] = [];
  let part: Part | null = null;
  for (const line of page.split('\n')) {
    const title = /^## (.+)$/.exec(line)?.[1];
    if (title !== undefined) part = PARTS.find((one) => one === title.toLowerCase()) ?? null;
    const figure = part === null ? null : figureOf(line, part);
    if (figure !== null) figures.push(figure);
  }
  return figures;
}

const CELLS = 7;

function figureOf(line: string, part: Part): JudgedFigure | null {
  const cells = line.split('|').map((cell) => cell.trim());
  if (cells.length !== CELLS + 2 || !line.startsWith('|')) return null;
  const [, report = '', what = '', wanted = '', measured = '', interval = '', seeds = '', met] =
    cells;
  if (report === 'report' || /^-+$/.test(report)) return null;
  const [low, high] = interval.split(' to ');
  return {
    ...{ part, report, what, measured, seeds },
    wanted: wanted === '' ? null : wanted,
    interval: low === undefined || high === undefined ? null : [low, high],
    isMet: met === '' ? null : met === 'yes',
  };
}
