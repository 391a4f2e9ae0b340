// head
export default {
  title: 'Title of the module',
  menu: { open: `Open ${'it'}`, close: "Close it" },
};
