import { apiChangesPage } from './cards/changes.ts';
import { decisionsPage } from './cards/decisions.ts';
import { detectorPages } from './cards/detectors.ts';
import { endpointPages } from './cards/endpoints.ts';
import { indicatorsPage } from './cards/indicators.ts';
import { modelPages } from './cards/models.ts';
import type { OpenApi } from './cards/open-api.ts';
import { programsPage } from './cards/programs.ts';
import { ruleFeaturesPage } from './cards/rule-features.ts';
import { ruleLibraryPage } from './cards/rule-library.ts';
import { settingsPage } from './cards/settings.ts';
import { readDocuments } from './documents/read-documents.ts';
import { inReadingOrder } from './layout/navigation.ts';
import type { SitePage } from './site-page.ts';

/**
 * All pages in reading order: those written by hand, in the repository at `root`, and those made
 * from registries and from the OpenAPI document.
 */
export async function collectPages(root: string, openApi: OpenApi): Promise<readonly SitePage[]> {
  const documents = readDocuments(root);
  const changelog = documents.find(({ path }) => path === 'changelog');
  if (changelog === undefined) throw new Error('There is no CHANGELOG.md.');
  const pages = [
    ...documents,
    decisionsPage(documents),
    apiChangesPage(changelog),
    ...endpointPages(openApi),
    indicatorsPage(),
    ...detectorPages(),
    ...modelPages(),
    ruleFeaturesPage(),
    ruleLibraryPage(root),
    await programsPage(root),
    settingsPage(),
  ];
  const paths = new Set(pages.map(({ path }) => path));
  if (paths.size < pages.length) throw new Error('Two pages of the documentation have one path.');
  return inReadingOrder(pages);
}
