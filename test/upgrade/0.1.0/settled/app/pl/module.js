// head
export default {
  title: '[pl Ŧīŧŀḗ ǿƒ ŧħḗ ḿǿḓŭŀḗ ~~~]',
  menu: { open: `Open ${'it'}`, close: "[pl Ƈŀǿşḗ īŧ ~~]" },
};
