import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';

/** Position and size of a region in the page, in pixels. */
export type Box = readonly [x: number, y: number, width: number, height: number];

/** Boxes of a page by the name of their region. */
export type Layout = Readonly<Record<string, Box>>;

/** References are written instead of compared: look at them before they are committed. */
export const IS_WRITING = process.env.MINTSCOPE_TEST_WRITE_REFERENCES === '1';
const FOLDER = resolve('tests/browser/references');

/** Rounding of text widths differs between versions of the browser. */
const BOX_TOLERANCE_PX = 4;
/** Screenshots are compared at this part of their width: edges of letters differ between machines. */
const SHRUNK = 4;
/** A colour channel, of 255, that differs by more is seen as another colour. */
const CHANNEL_TOLERANCE = 40;
const PIXELS_TOLERANCE = 0.01;

const FACES = [400, 500, 600].map((weight) => {
  const name = `@fontsource/inter/files/inter-latin-${weight}-normal.woff2`;
  const path = createRequire(import.meta.url).resolve(name);
  return { weight: String(weight), base64: readFileSync(path).toString('base64') };
});

/** Draws all texts of the pages to come in one font that every machine has: that of this package. */
export async function useFixedFont(page: Page): Promise<void> {
  await page.addInitScript(`
    for (const { weight, base64 } of ${JSON.stringify(FACES)}) {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      document.fonts.add(new FontFace('Fixed', bytes, { weight }));
    }
    document.addEventListener('DOMContentLoaded', () => {
      for (const name of ['--font', '--font-mono']) {
        document.documentElement.style.setProperty(name, 'Fixed');
      }
    });
  `);
}

/** Boxes of what has a name: the bar at the top, the status line, headings, panels and tables. */
export async function layoutOf(page: Page): Promise<Layout> {
  return (await page.evaluate(`(() => {
    const layout = {};
    const add = (name, element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      if (width === 0) return;
      const box = [x + scrollX, y + scrollY, width, height].map(Math.round);
      layout[name in layout ? name + ' (2)' : name] = box;
    };
    for (const name of ['.top-bar', '.status-line', 'main', 'main h1', '[role=tablist]']) {
      const element = document.querySelector(name);
      if (element !== null) add(name, element);
    }
    for (const panel of document.querySelectorAll('main .panel')) {
      const title = panel.querySelector('h2')?.textContent ?? panel.getAttribute('aria-label');
      add('panel ' + title, panel);
    }
    for (const frame of document.querySelectorAll('main .table-frame')) {
      add('table ' + frame.getAttribute('aria-label'), frame);
    }
    return layout;
  })()`)) as Layout;
}

/** What differs between a layout and the stored one, as sentences. */
export function layoutDifferences(name: string, layout: Layout): readonly string[] {
  const path = resolve(FOLDER, `${name}.json`);
  if (IS_WRITING) {
    write(path, jsonOf(layout));
    return [];
  }
  if (!existsSync(path)) return [`${path} is missing`];
  const stored = JSON.parse(readFileSync(path, 'utf8')) as Layout;
  const names = new Set([...Object.keys(stored), ...Object.keys(layout)]);
  return [...names].flatMap((region) => boxDifference(region, stored[region], layout[region]));
}

/** A line for each region, as the formatter writes it. */
function jsonOf(layout: Layout): string {
  const lines = Object.entries(layout).map(
    ([region, box]) => `  ${JSON.stringify(region)}: [${box.join(', ')}]`,
  );
  return `{\n${lines.join(',\n')}\n}\n`;
}

function boxDifference(region: string, stored?: Box, box?: Box): readonly string[] {
  if (stored === undefined || box === undefined) {
    return [`${region} ${box === undefined ? 'is gone' : 'is new'}`];
  }
  const isNear = box.every((value, index) => {
    return Math.abs(value - (stored[index] ?? 0)) <= BOX_TOLERANCE_PX;
  });
  return isNear ? [] : [`${region} is at ${box.join(', ')} and not ${stored.join(', ')}`];
}

/** Pairs of panels that lie on each other, and what is beyond the right edge of the window. */
export function brokenLayout(layout: Layout, windowPx: number): readonly string[] {
  const panels = Object.entries(layout).filter(([name]) => name.startsWith('panel '));
  const beyond = Object.entries(layout).filter(([, [x, , width]]) => x < 0 || x + width > windowPx);
  const overlapping = panels.flatMap(([name, box], index) =>
    panels
      .slice(index + 1)
      .filter(([, other]) => overlap(box, other))
      .map(([other]) => `${name} and ${other} overlap`),
  );
  return [...beyond.map(([name]) => `${name} is beyond the window`), ...overlapping];
}

/** Panels within panels do not count. */
function overlap(one: Box, other: Box): boolean {
  return !contains(one, other) && !contains(other, one) && covers(one, other);
}

function covers([x, y, width, height]: Box, [otherX, otherY, otherWidth, otherHeight]: Box) {
  const isBeside = x + width <= otherX || otherX + otherWidth <= x;
  return !isBeside && y + height > otherY && otherY + otherHeight > y;
}

function contains([x, y, width, height]: Box, [innerX, innerY, innerWidth, innerHeight]: Box) {
  const isWithin = innerX >= x && innerX + innerWidth <= x + width;
  return isWithin && innerY >= y && innerY + innerHeight <= y + height;
}

/** Share of pixels of a shrunk screenshot whose colour is another than in the stored one. */
export async function pixelDifference(name: string, screenshot: Buffer): Promise<number> {
  const { width = 0 } = await sharp(screenshot).metadata();
  const shrunk = sharp(screenshot)
    .removeAlpha()
    .resize({ width: Math.round(width / SHRUNK), kernel: 'cubic' });
  const path = resolve(FOLDER, `${name}.png`);
  if (IS_WRITING) {
    const options = { palette: true, colours: 64, effort: 10, dither: 0, compressionLevel: 9 };
    write(path, await shrunk.png(options).toBuffer());
    return 0;
  }
  const pixels = await shrunk.raw().toBuffer({ resolveWithObject: true });
  const stored = await sharp(path).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  if (stored.info.width !== pixels.info.width || stored.info.height !== pixels.info.height) {
    return 1;
  }
  return differingShare(pixels.data, stored.data, pixels.info.channels);
}

function differingShare(pixels: Buffer, stored: Buffer, channels: number): number {
  let differing = 0;
  for (let at = 0; at < pixels.length; at += channels) {
    for (let channel = at; channel < at + channels; channel++) {
      if (Math.abs((pixels[channel] ?? 0) - (stored[channel] ?? 0)) <= CHANNEL_TOLERANCE) continue;
      differing++;
      break;
    }
  }
  return differing / (pixels.length / channels);
}

/** The largest `pixelDifference` of a screenshot that counts as the same. */
export const SAME_PIXELS = PIXELS_TOLERANCE;

function write(path: string, content: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
