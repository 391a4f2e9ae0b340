/** Glossaries and style rules of one data center are invisible in the other (docs/design/api.md, "Authentication"). */
export type DataCenter = 'main' | 'second';
