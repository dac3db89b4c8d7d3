import { setPreference, type Theme, usePreferences } from './preferences.ts';
import css from './theme-switch.module.css';

const THEMES: readonly { readonly value: Theme; readonly label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

export function ThemeSwitch() {
  const { theme } = usePreferences();
  return (
    <fieldset className={css.switch}>
      <legend className="visually-hidden">Theme</legend>
      {THEMES.map(({ value, label }) => (
        <label key={value} className={css.choice} data-chosen={theme === value || undefined}>
          <input
            type="radio"
            name="theme"
            value={value}
            checked={theme === value}
            onChange={() => setPreference('theme', value)}
            className="visually-hidden"
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
