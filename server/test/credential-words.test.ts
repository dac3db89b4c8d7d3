import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeRoutes } from '#app/build-app.ts';
import { CREDENTIAL_WAYS, KEY_HEADER, KEY_WAYS, NOT_BEARER } from '#platform/http/credential-words.ts';
import { renderDocs } from '#platform/http/docs-page.ts';
import { describeApi } from '#platform/http/openapi.ts';

const ROOT = join(import.meta.dirname, '../..');
const plain = (path: string): string =>
  readFileSync(join(ROOT, path), 'utf8').replaceAll('`', '').replaceAll(/\s+/g, ' ');
const description = describeApi(describeRoutes(), { apiUrl: 'https://a.test', webUrl: 'https://b.test' });

describe('a reader learns everywhere in the same words how to send a key', () => {
  test.each([
    ['README.md', KEY_WAYS],
    ['docs/contract.md', KEY_HEADER],
    ['sdk/README.md', KEY_HEADER],
    ['server/src/app/sample-answers/getBulkCheck.json', CREDENTIAL_WAYS],
  ])('%s', (path, words) => {
    expect(plain(path)).toContain(words);
  });

  test('the reference page', () => {
    const { html } = renderDocs(description, { dashboardUrl: '/app/', fonts: {} });
    expect(html).toContain(`Send ${CREDENTIAL_WAYS}. ${NOT_BEARER}`);
  });

  test('the description for programs', () => {
    expect(description.components.securitySchemes?.apiKey).toMatchObject({
      name: 'X-API-KEY',
      description: `Send ${KEY_HEADER}. ${NOT_BEARER}`,
    });
  });

  test('commands of the documents, the reference and the dashboard name the key alike', () => {
    for (const path of ['README.md', 'web/src/screens/indicator/copy-forms.ts'])
      expect(plain(path)).toContain('"X-API-KEY: $ASSAY_KEY"');
  });
});
