import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import css from './entry.module.css';

/** The service's limit for a password, in UTF-16 code units as `maxLength` counts. */
const PASSWORD_UNITS_MAX = 512;
const PASSWORD_CHARS_MIN = 10;

export const EmailField = () => (
  <>
    <label className={css.label} htmlFor="email">
      E-mail address
    </label>
    <input
      id="email"
      name="email"
      type="email"
      className={css.field}
      autoComplete="username"
      autoCapitalize="off"
      spellCheck={false}
      maxLength={254}
      required
    />
  </>
);

/** Uncontrolled: the password is in no state, storage or cache of the page. */
export function PasswordField({
  label,
  isNew = false,
  hint,
}: {
  label: string;
  isNew?: boolean;
  hint?: string;
}) {
  const [isShown, setShown] = useState(false);
  return (
    <>
      <label className={css.label} htmlFor="password">
        {label}
      </label>
      <div className={css.secretRow}>
        <input
          id="password"
          name="password"
          type={isShown ? 'text' : 'password'}
          className={css.field}
          autoComplete={isNew ? 'new-password' : 'current-password'}
          autoCapitalize="off"
          spellCheck={false}
          minLength={isNew ? PASSWORD_CHARS_MIN : undefined}
          maxLength={PASSWORD_UNITS_MAX}
          aria-describedby={hint === undefined ? undefined : 'password-hint'}
          required
        />
        <Button
          aria-label={isShown ? 'Hide the password' : 'Show the password'}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? 'Hide' : 'Show'}
        </Button>
      </div>
      {hint !== undefined && (
        <p id="password-hint" className={`note ${css.hint}`}>
          {hint}
        </p>
      )}
    </>
  );
}

export const NewPasswordField = ({ label = 'New password' }: { label?: string }) => (
  <PasswordField
    label={label}
    isNew
    hint="10 to 128 characters of any kind. A sentence is easy to remember. Known breached passwords are refused."
  />
);
