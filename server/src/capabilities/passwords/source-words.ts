/** The publisher of the list, named in every answer, because its terms ask for attribution. */
export const SOURCE = 'Have I Been Pwned';
export const SOURCE_URL = 'https://haveibeenpwned.com/Passwords';
