import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** A person who uses only the keyboard. Every key is counted; opening a link of an e-mail counts as one. */
export type Hands = {
  readonly keys: () => number;
  readonly press: (...keys: readonly string[]) => Promise<void>;
  readonly type: (text: string) => Promise<void>;
  /** Tabs to a control as a person does, at most a hundred times. */
  readonly reach: (target: Locator) => Promise<void>;
  /** Tabs to a control and presses Enter. */
  readonly use: (target: Locator) => Promise<void>;
  readonly follow: (link: string) => Promise<void>;
  /** Runs the only command of the palette with these words; it opens from every field. */
  readonly command: (words: string) => Promise<void>;
};

const TABS_MAX = 100;

export function handsOn(page: Page): Hands {
  let keys = 0;
  const press = async (...pressed: readonly string[]): Promise<void> => {
    for (const key of pressed) {
      keys += 1;
      await page.keyboard.press(key);
    }
  };
  const type = async (text: string): Promise<void> => {
    keys += text.length;
    await page.keyboard.type(text);
  };
  const reach = async (target: Locator): Promise<void> => {
    await target.waitFor();
    const isHere = () => target.evaluate((element) => element === document.activeElement);
    for (let tab = 0; tab < TABS_MAX; tab += 1) {
      if (await isHere()) return;
      await press('Tab');
    }
    throw new Error(`${TABS_MAX} tabs did not reach ${target.toString()}.`);
  };
  const use = async (target: Locator): Promise<void> => {
    await reach(target);
    await press('Enter');
  };
  return {
    keys: () => keys,
    press,
    type,
    reach,
    use,
    follow: async (link) => {
      keys += 1;
      await page.goto(link);
    },
    command: async (words) => {
      await press('Control+k');
      await page.getByRole('dialog', { name: 'Commands' }).locator('input:focus').waitFor();
      await type(words);
      await expect.poll(() => page.getByRole('menuitem').count()).toBe(1);
      await press('ArrowDown', 'Enter');
    },
  };
}
