import type { SignalModel } from '../../src/signals/features/signal-model.ts';
import { MODELS } from '../../src/signals/registry.ts';
import { blocks, code, list, table } from '../markdown/compose.ts';
import { markdownUrl, type SitePage } from '../site-page.ts';

/** A page for each signal model, and one that lists them. */
export function modelPages(): readonly SitePage[] {
  return [indexPage(), ...MODELS.map(modelPage)];
}

function pathOf({ name }: SignalModel): string {
  return `models/${name}`;
}

function indexPage(): SitePage {
  const title = 'Signal models';
  const summary = 'The models that give signals, and the control that they are compared with.';
  const rows = MODELS.map((model) => [
    `[${code(model.name)}](${markdownUrl(pathOf(model))})`,
    model.card.pattern,
  ]);
  const markdown = blocks(
    `# ${title}`,
    summary,
    table(['Model', 'Gives a signal when'], rows),
    `The vetoes of all models, outcomes and statistics are described in [signals](${markdownUrl('products/signals')}), how the models did in [quality](${markdownUrl('quality/signals')}).`,
  );
  return { path: 'models', group: 'Reference', title, summary, markdown };
}

function modelPage(model: SignalModel): SitePage {
  const { card, parameters } = model;
  const title = `Model: ${model.name}`;
  const conditions = Object.entries(parameters.conditions).map(
    ([feature, { least, most, reason }]) => [code(feature), bound(least), bound(most), reason],
  );
  const markdown = blocks(
    `# ${title}`,
    card.pattern,
    `Version ${parameters.version}; silent about a token for ${parameters.coolDownMinutes} minutes after a signal. Listed by [\`GET /v1/signals\`](${markdownUrl('endpoints/signals')}) with \`model_name=${model.name}\`.`,
    '## Why it should predict anything',
    card.rationale,
    '## When it is wrong',
    list(card.lookAlikes),
    '## Conditions',
    'All must hold at the end of a minute. An unknown value fails its condition.',
    table(['Feature', 'At least', 'At most', 'Reason'], conditions),
  );
  return { path: pathOf(model), group: 'Reference', title, summary: card.pattern, markdown };
}

function bound(value: number | null): string {
  return value === null ? '' : `${value}`;
}
