import {
  FIGURES_EXAMPLE,
  type FigureName,
  Figures,
} from '../../src/api/present/indicator-figures.ts';
import { blocks, code, table } from '../markdown/compose.ts';
import { markdownUrl, type SitePage } from '../site-page.ts';

/** The page of the indicators of a pool. */
export function indicatorsPage(): SitePage {
  const title = 'Indicators of a pool';
  const summary = 'Every figure that is kept of a pool, current and by the minute.';
  const rows = (Object.keys(Figures.fields) as FigureName[]).map((name) => [
    code(name),
    descriptionOf(name),
    code(`${FIGURES_EXAMPLE[name]}`),
  ]);
  const markdown = blocks(
    `# ${title}`,
    summary,
    `They are answered by \`GET /v1/indicators/current\` and \`GET /v1/indicators/historic\` ([endpoints](${markdownUrl('endpoints/indicators')})); \`fields\` of the latter selects some of them by name. How they are computed, with a worked example, is described in [pool indicators and wallets](${markdownUrl('products/indicators')}).`,
    table(['Indicator', 'What it is', 'Example'], rows),
  );
  return { path: 'indicators', group: 'Reference', title, summary, markdown };
}

/** Throws for an indicator without a description: it would have no card. */
function descriptionOf(name: FigureName): string {
  const schema = Figures.schema.properties[name] as { readonly description?: string };
  if (schema.description === undefined)
    throw new Error(`The indicator ${name} has no description.`);
  return schema.description;
}
