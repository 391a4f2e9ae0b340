/** Glossaries and style rules of one data center are invisible in the other (API document, opening). */
export type DataCenter = 'main' | 'second';
