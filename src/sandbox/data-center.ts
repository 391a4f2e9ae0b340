/** Glossaries and style rules of one data center are invisible at the other (API document, opening). */
export type DataCenter = 'main' | 'second';
