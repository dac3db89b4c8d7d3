/**
 * The box of index.html is there before the scripts and may already have been typed into. Its text and focus move to
 * the real box in one step, so that no key is lost between the two.
 */
export function takeFirstKeys(input: HTMLInputElement | null): string {
  const first = document.getElementById('first-box');
  const typed = first?.querySelector('input') ?? null;
  if (first === null || typed === null) return '';
  const hadFocus = document.activeElement === typed;
  first.remove();
  if (hadFocus) input?.focus({ preventScroll: true });
  return typed.value;
}
