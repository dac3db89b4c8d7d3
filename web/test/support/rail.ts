import type { Page } from 'playwright-core';

/** On a phone and at high zoom the rail is behind its button. */
export async function showRail(page: Page): Promise<void> {
  const toggle = page.getByRole('button', { name: 'Menu' });
  if (await toggle.isVisible()) await toggle.click();
}
