/** Whose list it is, in every answer: its terms ask for attribution. */
export const SOURCE = 'Have I Been Pwned';
export const SOURCE_URL = 'https://haveibeenpwned.com/Passwords';
